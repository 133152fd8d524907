/** Files that people upload. */
import { basicAuth, type Credentials } from '../support/service/service.ts';

/** @returns where it is */
export async function sendFile(
  origin: string,
  auth: Credentials,
  path: string,
  file: File,
): Promise<string> {
  const body = new FormData();
  body.set('file', file);
  const headers = { authorization: basicAuth(auth) };
  const method = path.endsWith('/avatar') ? 'PUT' : 'POST';
  const response = await fetch(`${origin}/api/v1${path}`, { method, headers, body });
  const { uri, avatar_url: url } = (await response.json()) as { uri?: string; avatar_url?: string };
  if (response.status !== 200) throw new Error(`POST ${path} answered ${response.status}`);
  return uri ?? url ?? '';
}

export const note = (name: string, text = name): File =>
  new File([text], name, { type: 'text/plain' });
