export const count: number = 'three';
export const first: string = ['a'][0];
