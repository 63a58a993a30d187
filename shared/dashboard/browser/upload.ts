/* Sends files from the page of an entitlement directly to the bucket, in parts. Each part is signed with its
   SHA-256. It is sent again if the connection breaks, and a button can start another try. The page contains all
   texts. */

/** The pauses before a part is automatically sent again, in milliseconds. */
const pauses = [1_000, 4_000, 15_000];
/** After how many milliseconds without progress a connection counts as broken. */
const stalledAfter = 60_000;

const form = document.querySelector<HTMLFormElement>('#uploads');
const input = form?.querySelector<HTMLInputElement>('input[type=file]');
const list = form?.querySelector('[data-list]');
const status = form?.querySelector('[role=status]');
const template = form?.querySelector('template');
let queue = Promise.resolve();
let running = 0;
let lastDone = '';

class Refused extends Error {}
class Cancelled extends Error {}

if (form && input && list && template) {
  const place = form.closest('section') ?? form;
  for (const chosen of [input, ...place.querySelectorAll<HTMLInputElement>('[data-replaces]')])
    chosen.addEventListener('change', () => {
      const { replaces } = chosen.dataset;
      take(chosen.files, replaces === undefined ? {} : { replaces });
      chosen.value = '';
    });
  place.addEventListener('dragover', (event) => event.preventDefault());
  place.addEventListener('drop', (event) => {
    event.preventDefault();
    take((event as DragEvent).dataTransfer?.files);
  });
}
addEventListener('beforeunload', (event) => {
  if (running > 0) event.preventDefault();
});

/** The line on the page for one file that is being sent. */
interface Row {
  item: Element;
  progress: HTMLProgressElement;
  note: Element;
  cancel: HTMLButtonElement;
  again: HTMLButtonElement;
  stop: AbortController;
}

/** Sends files one after another. If a file replaces another one, the last request names that file. */
function take(files: FileList | null | undefined, place: Record<string, string> = {}): void {
  for (const file of files ?? []) {
    const row = newRow(file);
    running += 1;
    queue = queue.then(() => send(file, row, place)).then(finish);
  }
}

/** Shows the new list when all files were sent, or could not be sent. */
function finish(): void {
  running -= 1;
  if (running === 0 && lastDone !== '' && !list?.querySelector('[data-failed]')) location.replace(lastDone);
}

function newRow(file: File): Row {
  const item = (template as HTMLTemplateElement).content.firstElementChild?.cloneNode(true) as Element;
  const find = <E extends Element>(selector: string) => item.querySelector<E>(selector) as E;
  const row: Row = {
    item,
    progress: find('progress'),
    note: find('.hint'),
    cancel: find('[data-cancel]'),
    again: find('[data-again]'),
    stop: new AbortController(),
  };
  find('strong').textContent = file.name;
  row.progress.setAttribute('aria-label', file.name);
  for (const button of [row.cancel, row.again])
    button.setAttribute('aria-label', `${button.textContent}: ${file.name}`);
  row.cancel.addEventListener('click', () => row.stop.abort());
  list?.append(item);
  return row;
}

async function send(file: File, row: Row, place: Record<string, string>): Promise<void> {
  let fileId = '';
  try {
    fileId = await announce(file, row);
    const { uploadId, parts } = await sendParts(file, fileId, row);
    const ended = { action: 'finish_file', file_id: fileId, upload_id: uploadId, parts: JSON.stringify(parts) };
    lastDone = await once(row, { ...ended, ...place });
    show(row, 100, said('done'));
    end(row, `${file.name}: ${said('done')}`);
  } catch (error) {
    if (fileId !== '') await post({ action: 'remove_file', file_id: fileId }).catch(() => undefined);
    if (!(error instanceof Cancelled)) row.item.toggleAttribute('data-failed', true);
    const text = error instanceof Refused ? error.message : said(error instanceof Cancelled ? 'cancelled' : 'failed');
    row.note.textContent = text;
    end(row, `${file.name}: ${text}`);
  }
}

function end(row: Row, text: string): void {
  row.cancel.remove();
  row.again.remove();
  if (status) status.textContent = text;
}

const said = (text: string): string => form?.dataset[text] ?? '';

function show({ progress, note }: Row, percent: number, text: string): void {
  progress.value = percent;
  note.textContent = text.replace('{percent}', String(Math.floor(percent)));
}

/** Adds the file to the entitlement, and returns its id. */
async function announce(file: File, row: Row): Promise<string> {
  const fields = { action: 'add_file', file_name: file.name, file_size: String(file.size), content_type: file.type };
  return new URL(await once(row, fields)).searchParams.get('file') ?? '';
}

/** Sends a command until there is an answer. It takes effect only once, because each try has the same form id. */
function once(row: Row, fields: Record<string, string>): Promise<string> {
  const form_id = crypto.randomUUID();
  return untilSent(row, async () => (await post({ ...fields, form_id })).url);
}

async function sendParts(file: File, fileId: string, row: Row) {
  const parts: { number: number; etag: string; sha256: string }[] = [];
  const partBytes = Number(form?.dataset['partBytes']);
  let uploadId = '';
  for (let start = 0; start < file.size; start += partBytes) {
    const part = file.slice(start, start + partBytes);
    const sha256 = hex(await crypto.subtle.digest('SHA-256', await part.arrayBuffer()));
    const number = parts.length + 1;
    const etag = await untilSent(row, async () => {
      const begun: Record<string, string> = uploadId === '' ? {} : { upload_id: uploadId };
      const fields = { action: 'sign_part', file_id: fileId, number: String(number), size: String(part.size) };
      const signed = await (await post({ ...fields, sha256, ...begun })).json();
      uploadId = signed.upload_id;
      return put(signed, part, row, (sent) => show(row, ((start + sent) / file.size) * 100, said('progress')));
    });
    parts.push({ number, etag, sha256 });
  }
  return { uploadId, parts };
}

/** Tries a part several times automatically. After that, it tries again each time the merchant presses the button. */
async function untilSent(row: Row, attempt: () => Promise<string>): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      if (row.stop.signal.aborted) throw new Cancelled();
      return await attempt();
    } catch (error) {
      if (error instanceof Cancelled || error instanceof Refused) throw error;
      await pauseOrClick(row, pauses[tries]);
    }
  }
}

/** Waits for some milliseconds. If no number is given, it waits for the button. A cancelled upload ends the wait. */
function pauseOrClick({ again, note, stop }: Row, milliseconds: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    onStop(stop.signal, () => reject(new Cancelled()));
    if (milliseconds !== undefined) return void setTimeout(resolve, milliseconds);
    note.textContent = said('failed');
    if (status) status.textContent = said('failed');
    again.hidden = false;
    again.addEventListener(
      'click',
      () => {
        again.hidden = true;
        resolve();
      },
      { once: true },
    );
  });
}

/** Sends one part to the bucket, and returns its ETag. The browser reads the part from the file while it sends. */
function put(
  { url, headers }: { url: string; headers: Record<string, string> },
  part: Blob,
  { stop }: Row,
  progress: (sent: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    const stall = () => setTimeout(() => request.abort(), stalledAfter);
    let timer = stall();
    request.upload.addEventListener('progress', ({ loaded }) => {
      clearTimeout(timer);
      timer = stall();
      progress(loaded);
    });
    request.addEventListener('loadend', () => clearTimeout(timer));
    request.addEventListener('load', () =>
      request.status === 200 ? resolve(request.getResponseHeader('etag') ?? '') : reject(new Error(request.statusText)),
    );
    request.addEventListener('error', () => reject(new Error('The connection broke.')));
    request.addEventListener('abort', () =>
      reject(stop.signal.aborted ? new Cancelled() : new Error('The connection stalled.')),
    );
    request.send(part);
    onStop(stop.signal, () => request.abort());
  });
}

function onStop(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

/** Sends a form of this page. If it is refused, the answer is JSON with the reason. */
async function post(fields: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ token: hidden('token'), form_id: crypto.randomUUID(), ...fields });
  const response = await fetch(form?.getAttribute('action') ?? '', {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(stalledAfter),
  });
  if (response.ok) return response;
  const { refusal } = response.status === 422 ? await response.json() : { refusal: said('failed') };
  throw response.status < 500 ? new Refused(refusal) : new Error(refusal);
}

const hidden = (name: string): string => form?.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value ?? '';

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

export {};
