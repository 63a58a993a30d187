/* Adds pasted codes or licence keys in portions and shows the progress, so that ten thousand need only one click. A
   chosen file is put into the field. Without this script, the form adds one portion. The page contains all texts,
   and the number of lines in a portion. */

/** The most characters of a portion. The server accepts a hundred thousand in a field. */
const portionLetters = 90_000;
const pauses = [1_000, 4_000, 15_000];

const form = document.querySelector<HTMLFormElement>('form[data-portion]');
const field = form?.querySelector('textarea');
const input = form?.querySelector<HTMLInputElement>('input[type=file]');
const progress = form?.querySelector('progress');
const status = form?.querySelector('[role=status]');
const button = form?.querySelector('button');

/** The most lines of a portion. */
const portionLines = Number(form?.dataset['portion']);
/** Whether each portion must begin with the heading of the file. */
const hasHeading = form?.dataset['heading'] !== undefined;

/**
 * The names of lists of lines in an answer. `refused`: lines that were left out. `short`: keys that are short enough to
 * be guessed.
 */
const named = ['refused', 'short'] as const;

interface Sums {
  added: number;
  repeated: number;
  refused: string[];
  short: string[];
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
  const first = hasHeading ? lines.findIndex((line) => line.trim() !== '') + 1 : 0;
  const heading = lines.slice(Math.max(first - 1, 0), first);
  const sums: Sums = { added: 0, repeated: 0, refused: [], short: [] };
  let last = new URLSearchParams();
  busy(true);
  try {
    for (let start = first; start < lines.length; ) {
      const portion = portionFrom(lines, start);
      // The other marks of an answer, such as that it was only a check, are the same for all portions.
      last = await untilSent(to, [...heading, ...portion].join('\n'));
      add(sums, last, start - heading.length);
      start += portion.length;
      show(Math.floor((start / lines.length) * 100));
    }
    last.set('added', String(sums.added));
    last.set('repeated', String(sums.repeated));
    for (const name of named) {
      last.delete(name);
      if (sums[name].length > 0) last.set(name, sums[name].slice(0, 100).join('.'));
    }
    history.replaceState(null, '', `${to.getAttribute('action')}?${last}#${to.closest('section')?.id ?? ''}`);
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

/** Adds up what the answer to a portion says. It says it in the address to which it redirects. */
function add(sums: Sums, answer: URLSearchParams, start: number): void {
  sums.added += Number(answer.get('added'));
  sums.repeated += Number(answer.get('repeated'));
  for (const name of named) {
    const lines = (answer.get(name) ?? '').split('.').filter((line) => line !== '');
    sums[name].push(...lines.map((line) => `${start + Number.parseInt(line, 10)}${line.replace(/^\d+/, '')}`));
  }
}

/** Sends a portion until there is an answer. It takes effect only once, because each try has the same form id. */
async function untilSent(to: HTMLFormElement, codes: string): Promise<URLSearchParams> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(to)) if (typeof value === 'string') body.set(name, value);
  body.set('form_id', crypto.randomUUID());
  body.set('action', button?.value ?? '');
  body.set(field?.name ?? '', codes);
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
