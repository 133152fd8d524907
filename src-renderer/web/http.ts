/** HTTP of the browser build: to the service that the page came from, without its cookies. */
import type {
  Http,
  HttpFetchFile,
  HttpFileRequest,
  HttpRequest,
  HttpResponse,
} from '#client/ports.ts';

export const webHttp: Http = async (asked) => {
  const { method, url, headers, body, onProgress, onText, signal } = asked;
  if (onProgress !== undefined) return sendWithProgress(asked, onProgress);
  const response = await fetch(url, {
    method,
    headers,
    body,
    signal,
    // Neither cookies nor the browser's own sign-in window when a key is refused.
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    // A queue is deleted while the page is closing.
    keepalive: method === 'DELETE',
  });
  const { status } = response;
  if (onText === undefined || status !== 200) return { status, text: await response.text() };
  await readAlong(response, onText);
  return { status, text: '' };
};

/** Decodes the body as it comes. @throws where the connection breaks */
async function readAlong(
  { body }: Response,
  onText: NonNullable<HttpRequest['onText']>,
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    await onText(decoder.decode(read.value, { stream: true }));
  }
}

/** Fetch tells nothing of a body on its way. */
function sendWithProgress(
  { method, url, headers, body, signal }: HttpRequest,
  onProgress: (share: number) => void,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    const abort = (): void => {
      sending.abort();
    };
    const fail = (): void => {
      reject(new Error('no answer came'));
    };
    if (signal.aborted) {
      fail();
      return;
    }
    signal.addEventListener('abort', abort);
    sending.open(method, url);
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    sending.addEventListener('load', () => {
      resolve({ status: sending.status, text: sending.responseText });
    });
    sending.addEventListener('error', fail);
    sending.addEventListener('abort', fail);
    sending.addEventListener('timeout', fail);
    sending.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort);
    });
    sending.send(body);
  });
}

export const webFetchFile: HttpFetchFile = async (asked) => {
  const { method, url, headers, maxBytes, onBytes, signal } = asked;
  const response = await fetch(url, {
    method,
    headers,
    signal,
    credentials: 'omit',
    redirect: 'error',
    // What is saved is in no other place than that.
    ...(onBytes === undefined ? {} : { cache: 'no-store' }),
  });
  const { status } = response;
  const type = response.headers.get('content-type') ?? '';
  if (onBytes !== undefined && (status === 200 || status === 206)) {
    await readFileAlong(response, onBytes);
    return { status, type, bytes: new Uint8Array() };
  }
  const announced = Number(response.headers.get('content-length') ?? '0');
  if (announced > maxBytes) {
    await response.body?.cancel();
    return { status, type, bytes: null };
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status, type, bytes: bytes.byteLength > maxBytes ? null : bytes };
};

/** @throws where the connection breaks */
async function readFileAlong(
  { status, headers, body }: Response,
  onBytes: NonNullable<HttpFileRequest['onBytes']>,
): Promise<void> {
  const isPart = status === 206;
  const length = isPart ? headers.get('content-range')?.split('/')[1] : contentLength(headers);
  const about = {
    isPart,
    totalBytes: length === undefined || length === '' ? null : Number(length),
  };
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    await onBytes(read.value, about);
  }
}

/** A browser tells the length of what was packed on its way as that of what came. */
const contentLength = (headers: Headers): string | undefined =>
  headers.has('content-encoding') ? undefined : (headers.get('content-length') ?? undefined);
