import { refusal } from '#shared/api/refusal.ts';
import type { Declaration } from '#service/webhooks/common/integration.ts';
import { Markdown, md } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

const MAX_TEMPLATE = 5000;
const PLACE = /\{\{\s*([\w.-]{1,200})\s*(?:\|([^{}]{0,200}))?\}\}/g;

/** A value as text; lists and objects as JSON. */
function valueAt(p: Payload, path: string, fallback: string | undefined): string {
  const value = p.raw(path);
  if (value === undefined || value === '') {
    return fallback?.trim() ?? p.scalar(path);
  }
  return typeof value === 'object' ? JSON.stringify(value) : p.scalar(path);
}

function fill(template: string, write: (value: string) => string, p: Payload): string {
  return template.replace(PLACE, (_, path: string, fallback?: string) =>
    write(valueAt(p, path, fallback)),
  );
}

/** The template is its user's own and may hold markup; what is put into it may not. */
export const template: Declaration = {
  name: 'template',
  title: 'Your own template',
  about:
    'Any JSON, written as the argument `template` says: `{{path.to.value}}` or `{{path|default}}`; `topic_template` for the topic.',
  subject: 'anything',
  steps: [
    'Paste the address wherever the other program asks for a URL to post to.',
    'Add &template=TEXT to the address, where {{path.to.value}} stands for a value and {{path|default}} for one that may be missing.',
    'Add &topic_template=TEXT in the same way for the topic.',
    'Let it send something.',
  ],
  body: 'form',
  events: {
    message(p, { query }) {
      const text = query('template');
      if (text === undefined) throw refusal('template_missing');
      if (text.length > MAX_TEMPLATE) {
        throw refusal('template_too_long', { limit: MAX_TEMPLATE });
      }
      return {
        topic: fill(query('topic_template') ?? 'Webhook', (value) => value, p),
        content: new Markdown(fill(text, (value) => md`${value}`.source, p)),
      };
    },
  },
};
