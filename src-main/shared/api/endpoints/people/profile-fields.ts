import { z } from 'zod';
import { intList, json, oneOfInts, positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import {
  ProfileAnswers,
  ProfileChoices,
  ProfileField,
  profileTypeIds,
} from '#shared/api/models/profile.ts';
import { optional, required, wire } from '#shared/api/wire.ts';

/** Needed for a field of type 3, passed over for the others. */
const choices = optional(
  json<ProfileChoices>('an object with the text and the order of each choice', ProfileChoices),
);

export const profileFields = {
  list: endpoint({
    method: 'GET',
    path: '/realm/profile_fields',
    auth: 'user',
    params: wire({}),
    result: z.object({ custom_fields: z.array(ProfileField) }),
    errors: [],
    summary: "List the organization's profile fields.",
    spec: 'API decisions 7.3 and 9',
  }),
  add: endpoint({
    method: 'POST',
    path: '/realm/profile_fields',
    auth: 'user',
    access: 'admin',
    params: wire({
      name: required(text, 'text'),
      hint: optional(text, 'text'),
      fieldData: choices,
      /** 1 short text, 2 long text, 3 choice, 4 date, 5 URL, 6 people. */
      fieldType: required(oneOfInts(profileTypeIds)),
    }),
    result: z.object({ id: z.int() }),
    errors: ['BAD_REQUEST'],
    summary: 'Add a profile field (administrators).',
    spec: 'API decisions 7.3',
  }),
  order: endpoint({
    method: 'PATCH',
    path: '/realm/profile_fields',
    auth: 'user',
    access: 'admin',
    /** The ids of all fields. */
    params: wire({ order: required(intList) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Put the profile fields into an order (administrators).',
    spec: 'API decisions 7.3',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/realm/profile_fields/:field_id',
    auth: 'user',
    access: 'admin',
    params: wire({
      fieldId: required(positiveInt),
      name: optional(text, 'text'),
      hint: optional(text, 'text'),
      fieldData: choices,
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Change a profile field (administrators).',
    spec: 'API decisions 7.3',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/realm/profile_fields/:field_id',
    auth: 'user',
    access: 'admin',
    params: wire({ fieldId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Remove a profile field with all answers to it (administrators).',
    spec: 'API decisions 7.3',
  }),
  answer: endpoint({
    method: 'PATCH',
    path: '/users/me/profile_data',
    auth: 'user',
    access: 'person',
    params: wire({
      data: required(json<ProfileAnswers>('a list of objects with id and value', ProfileAnswers)),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Answer profile fields; a blank value takes an answer away.',
    spec: 'API decisions 7.3',
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/users/me/profile_data',
    auth: 'user',
    access: 'person',
    /** Ids of fields. */
    params: wire({ data: required(intList) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Take answers to profile fields away.',
    spec: 'API decisions 7.3',
  }),
};
