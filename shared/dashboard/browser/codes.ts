/*
 * Adds pasted codes in portions, with progress, so that ten thousand take one click. A file fills the field. Without
 * this script the form adds a thousand at once. The page contains all texts.
 */

/** The most lines and letters of a portion. The API takes a thousand codes, and a field a hundred thousand letters. */
const portionLines = 500;
const portionLetters = 90_000;
const pauses = [1_000, 4_000, 15_000];

const form = document.querySelector<HTMLFormElement>('#add_codes');
const field = form?.querySelector('textarea');
const input = form?.querySelector<HTMLInputElement>('input[type=file]');
const progress = form?.querySelector('progress');
const status = form?.querySelector('[role=status]');
const button = form?.querySelector('button');

interface Sums {
  added: number;
  repeated: number;
  refused: number[];
}

if (form && field && input && progress && status && button) {
  const fill = async (file: File | undefined) => {
    if (file) field.value = await file.text();
  };
  input.addEventListener('change', () => void fill(input.files?.[0]));
  const place = form.closest('section') ?? form;
  place.addEventListener('dragover', (event) => event.preventDefault());
  place.addEventListener('drop', (event) => {
    event.preventDefault();
    void fill((event as DragEvent).dataTransfer?.files[0]);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (field.value.trim() !== '' && !button.disabled) void send(form, field.value);
  });
}

async function send(to: HTMLFormElement, text: string): Promise<void> {
  const lines = text.split(/\r\n|\n|\r/);
  const sums: Sums = { added: 0, repeated: 0, refused: [] };
  busy(true);
  try {
    for (let start = 0; start < lines.length; ) {
      const portion = portionFrom(lines, start);
      add(sums, await untilSent(to, portion.join('\n')), start);
      start += portion.length;
      show(Math.floor((start / lines.length) * 100));
    }
    const { added, repeated, refused } = sums;
    const query = new URLSearchParams({
      added: String(added),
      repeated: String(repeated),
      ...(refused.length > 0 && { refused: refused.slice(0, 100).join('.') }),
    });
    history.replaceState(null, '', `${to.getAttribute('action')}?${query}#codes`);
    location.reload();
  } catch {
    busy(false);
    if (status) status.textContent = to.dataset['failed'] ?? '';
  }
}

function portionFrom(lines: readonly string[], start: number): string[] {
  let end = start;
  for (let letters = 0; end < lines.length && end - start < portionLines; end += 1) {
    letters += (lines[end]?.length ?? 0) + 1;
    if (letters > portionLetters && end > start) break;
  }
  return lines.slice(start, end);
}

function busy(isBusy: boolean): void {
  if (button) button.disabled = isBusy;
  if (progress) progress.hidden = !isBusy;
}

function show(percent: number): void {
  if (progress) progress.value = percent;
  if (status) status.textContent = (form?.dataset['progress'] ?? '').replace('{percent}', String(percent));
}

/** Adds what the answer of a portion says, which is in the address that it leads to. */
function add(sums: Sums, answer: URLSearchParams, start: number): void {
  sums.added += Number(answer.get('added'));
  sums.repeated += Number(answer.get('repeated'));
  const refused = answer.get('refused') ?? '';
  if (refused !== '') sums.refused.push(...refused.split('.').map((line) => start + Number(line)));
}

/** Sends a portion until it is answered. It takes effect once, because each try has the same form id. */
async function untilSent(to: HTMLFormElement, codes: string): Promise<URLSearchParams> {
  const token = to.querySelector<HTMLInputElement>('input[name=token]')?.value ?? '';
  const body = new URLSearchParams({ token, form_id: crypto.randomUUID(), action: 'add_codes', codes });
  for (const pause of pauses) {
    const answer = await tried(to, body).catch(() => undefined);
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return tried(to, body);
}

async function tried(to: HTMLFormElement, body: URLSearchParams): Promise<URLSearchParams> {
  const response = await fetch(to.getAttribute('action') ?? '', { method: 'POST', body });
  if (response.ok) return new URL(response.url).searchParams;
  throw new Error(response.statusText);
}

export {};
