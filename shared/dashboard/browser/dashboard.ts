/* The dashboard's optional script. It copies addresses with a click, and updates prices while the merchant types. To
   do so, it posts the form as a preview, and replaces the part of the page that shows the result. */

const all = <E extends Element>(selector: string) => document.querySelectorAll<E>(selector);

/** A text of the script in the language of the page, which contains these texts. */
const said = (text: 'offline' | 'slow' | 'copied' | 'stale'): string =>
  document.getElementById('main')?.dataset[text] ?? '';

for (const button of all<HTMLButtonElement>('[data-copies]')) enableCopying(button);
for (const form of all<HTMLFormElement>('form[data-live]')) keepPriced(form);
for (const input of all<HTMLInputElement>('input[type=file][data-shows]')) showChosen(input);
for (const form of all<HTMLFormElement>('form[method=post]')) sendOnce(form);
for (const form of all<HTMLFormElement>('form[data-unsaved]')) warnBeforeLeaving(form);
for (const frame of all<HTMLIFrameElement>('iframe.mail')) keepAsHigh(frame);
for (const waiting of all('[data-reloads]')) reloadLater(waiting);
for (const field of all('[aria-invalid]')) field.addEventListener('input', () => settleFault(field), { once: true });
for (const field of all<HTMLInputElement>('[data-submits]'))
  field.addEventListener('change', () => field.form?.requestSubmit());

addEventListener('offline', () => {
  const note = document.createElement('p');
  note.id = 'offline';
  note.className = 'note fault-note';
  note.setAttribute('role', 'alert');
  note.textContent = said('offline');
  document.querySelector('main')?.prepend(note);
});
addEventListener('online', () => document.getElementById('offline')?.remove());

/**
 * Removes the error mark from a field that was corrected. The space of the message stays, so that nothing moves while
 * the merchant types.
 */
function settleFault(field: Element): void {
  field.removeAttribute('aria-invalid');
  document.getElementById(`${field.id}-fault`)?.toggleAttribute('data-settled', true);
  document.querySelector(`.fault-note a[href="#${field.id}"]`)?.parentElement?.toggleAttribute('data-settled', true);
}

function enableCopying(button: HTMLButtonElement): void {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset['copies'] ?? '');
    button.textContent = said('copied');
    setTimeout(() => {
      button.textContent = label;
    }, 2_000);
  });
}

/** Requests the changing part of the page shortly after each change. A newer request cancels an older one. */
function keepPriced(form: HTMLFormElement): void {
  const live = document.getElementById(form.dataset['live'] ?? '');
  if (!live) return;
  let timer = 0;
  let request = new AbortController();
  const schedule = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      request.abort();
      request = new AbortController();
      void refresh(form, live, request.signal);
    }, milliseconds);
  };
  form.addEventListener('input', (event) => {
    const { type } = event.target as HTMLInputElement;
    if (type !== 'file' && !(event as InputEvent).isComposing) schedule(350);
  });
  form.addEventListener('change', () => schedule(50));
}

async function refresh(form: HTMLFormElement, live: HTMLElement, signal: AbortSignal): Promise<void> {
  live.setAttribute('aria-busy', 'true');
  try {
    const body = previewOf(form);
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      body,
      signal,
      redirect: 'manual',
    });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.getElementById(live.id);
    if (fresh) live.replaceChildren(...fresh.childNodes);
    freshen(form, page);
  } catch (error) {
    if ((error as Error).name === 'AbortError') return;
    live.replaceChildren(said('stale'));
    freshen(form, undefined);
  } finally {
    if (!signal.aborted) live.removeAttribute('aria-busy');
  }
}

/**
 * Copies the texts with `data-fresh` from the answer into the form. Nothing else in the form changes. Without an
 * answer, it empties these texts, because a button must not show a wrong amount.
 */
function freshen(form: HTMLFormElement, page: Document | undefined): void {
  for (const part of form.querySelectorAll('[data-fresh]'))
    part.textContent = page?.getElementById(part.id)?.textContent ?? '';
}

/** The fields of the form without its files, for a preview. */
function previewOf(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.append(name, value);
  fields.set('action', 'preview');
  return fields;
}

/** Draws the chosen image on a canvas. A link to the image would need an exception in the page's content policy. */
function showChosen(input: HTMLInputElement): void {
  const canvas = document.querySelector<HTMLCanvasElement>(`#${input.dataset['shows']}`);
  const current = document.getElementById(input.dataset['hides'] ?? '');
  if (!canvas) return;
  input.addEventListener('change', async () => {
    const file = input.files?.[0];
    const bitmap = file && (await createImageBitmap(file).catch(() => undefined));
    canvas.hidden = !bitmap;
    if (current) current.hidden = Boolean(bitmap);
    if (!bitmap) return;
    const scale = Math.min(1, 480 / Math.max(bitmap.width, bitmap.height));
    canvas.width = bitmap.width * scale;
    canvas.height = bitmap.height * scale;
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  });
}

/** Lets the browser ask before a form with changes is left. Its own buttons do not ask. */
function warnBeforeLeaving(form: HTMLFormElement): void {
  let isChanged = form.dataset['unsaved'] === 'true';
  form.addEventListener('input', ({ target }) => {
    isChanged ||= !(target as Element).matches('[data-unsent]');
  });
  form.addEventListener('submit', () => {
    isChanged = false;
  });
  addEventListener('beforeunload', (event) => {
    if (isChanged) event.preventDefault();
  });
}

/** Loads the page again while it waits for files, unless the merchant is typing. */
function reloadLater(waiting: Element): void {
  setTimeout(() => {
    const { activeElement } = document;
    if (activeElement?.matches('input, select, textarea') || document.hidden) return reloadLater(waiting);
    location.assign(waiting.querySelector('a')?.href ?? location.href);
  }, 5_000);
}

/** Prevents a second request by a second click while the first one is running. */
function sendOnce(form: HTMLFormElement): void {
  let isSent = false;
  let patience = 0;
  form.addEventListener('submit', (event) => {
    // A preview in a frame leaves the page as it is.
    if (event.submitter?.hasAttribute('formtarget')) return;
    if (isSent) return event.preventDefault();
    isSent = true;
    event.submitter?.setAttribute('aria-disabled', 'true');
    patience = saySlowly(event.submitter ?? form);
  });
  addEventListener('pageshow', () => {
    isSent = false;
    clearTimeout(patience);
    document.getElementById('slow')?.remove();
  });
}

/**
 * Shows a note near the button if the answer takes long. The note is first added without text, because screen readers
 * only read changes of an existing element.
 */
function saySlowly(near: Element): number {
  const note = document.createElement('p');
  note.id = 'slow';
  note.className = 'hint';
  note.setAttribute('role', 'status');
  (near.closest('.submit') ?? near).after(note);
  return setTimeout(() => {
    note.textContent = said('slow');
  }, 3_000);
}

/**
 * Sets the height of a frame to that of its mail, so that only the page scrolls. If the frame becomes narrower, the
 * height is set again.
 */
function keepAsHigh(frame: HTMLIFrameElement): void {
  const fit = () => {
    const height = frame.contentDocument?.body?.offsetHeight ?? 0;
    if (height > 0) frame.style.height = `${height + frame.offsetHeight - frame.clientHeight}px`;
  };
  frame.addEventListener('load', fit);
  new ResizeObserver(fit).observe(frame);
}

export {};
