import { refusedWith } from './api.ts';
import { ApiProblem } from './apiProblem.ts';
import { signedIn } from './signIn.ts';

/**
 * Sends a CSV file as who is signed in. Throws ApiProblem; `code` is `unreachable` when there was no answer.
 * @param onProgress told how much has gone, from 0 to 1; 1: all of it, and the gateway is reading
 */
export function uploadCsv<T>(path: string, file: Blob, onProgress: (share: number) => void): Promise<T> {
  // fetch does not tell how much of a body has gone.
  const request = new XMLHttpRequest();
  const token = signedIn()?.token;
  return new Promise((resolve, reject) => {
    const unanswered = () => reject(new ApiProblem(0, { code: 'unreachable' }));
    request.open('POST', path);
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('content-type', 'text/csv');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as T);
      else reject(refusedWith(token, request.status, (request.response as object | null) ?? {}));
    };
    request.onerror = unanswered;
    request.onabort = unanswered;
    request.send(file);
  });
}

/**
 * Fetches a file as who is signed in, and lets the browser save it. Throws ApiProblem as `api` does;
 * what breaks off is not saved.
 */
export async function downloadFile(path: string, name: string): Promise<void> {
  const token = signedIn()?.token;
  const unanswered = () => {
    throw new ApiProblem(0, { code: 'unreachable' });
  };
  const response = await fetch(path, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  }).catch(unanswered);
  if (!response.ok) throw refusedWith(token, response.status, (await response.json().catch(() => ({}))) as object);
  const url = URL.createObjectURL(await response.blob().catch(unanswered));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
