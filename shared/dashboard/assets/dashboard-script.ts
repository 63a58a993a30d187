/**
 * The dashboard's optional script. It copies addresses with a click, and updates prices while the merchant types:
 * it posts the same form as a preview, and replaces the live part of the page.
 */
export const dashboardScriptText = `for (const button of document.querySelectorAll('[data-copies]')) enableCopying(button);
for (const form of document.querySelectorAll('form[data-live]')) keepPriced(form);
for (const input of document.querySelectorAll('input[type=file][data-shows]')) showChosen(input);
for (const form of document.querySelectorAll('form[method=post]')) sendOnce(form);
for (const field of document.querySelectorAll('[data-submits]')) field.addEventListener('change', () => field.form.requestSubmit());

function enableCopying(button) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copies);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

function keepPriced(form) {
  const live = document.getElementById(form.dataset.live);
  let timer;
  let request;
  const shown = () => {
    const fields = new FormData(form);
    for (const [name, value] of [...fields]) if (value instanceof File) fields.delete(name);
    fields.set('action', 'preview');
    return new URLSearchParams(fields);
  };
  const refresh = async () => {
    if (request) request.abort();
    request = new AbortController();
    const { signal } = request;
    live.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(form.getAttribute('action'), { method: 'POST', body: shown(), signal, redirect: 'manual' });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const fresh = page.getElementById(live.id);
      if (fresh) live.replaceChildren(...fresh.childNodes);
    } catch (error) {
      if (error.name !== 'AbortError') live.replaceChildren('The example could not be updated.');
    } finally {
      if (!signal.aborted) live.removeAttribute('aria-busy');
    }
  };
  const schedule = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(refresh, milliseconds);
  };
  form.addEventListener('input', (event) => {
    if (event.target.type !== 'file' && !event.isComposing) schedule(350);
  });
  form.addEventListener('change', () => schedule(50));
}

/** Draws the image instead of linking it, so the page's policy needs no exception. */
function showChosen(input) {
  const canvas = document.getElementById(input.dataset.shows);
  const current = document.getElementById(input.dataset.hides);
  input.addEventListener('change', async () => {
    const bitmap = input.files[0] && (await createImageBitmap(input.files[0]).catch(() => undefined));
    canvas.hidden = !bitmap;
    if (current) current.hidden = Boolean(bitmap);
    if (!bitmap) return;
    const scale = Math.min(1, 480 / Math.max(bitmap.width, bitmap.height));
    canvas.width = bitmap.width * scale;
    canvas.height = bitmap.height * scale;
    canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  });
}

/** A second click while the first is on its way does nothing. */
function sendOnce(form) {
  let sent = false;
  form.addEventListener('submit', (event) => {
    if (sent) return event.preventDefault();
    sent = true;
    if (event.submitter) event.submitter.setAttribute('aria-disabled', 'true');
  });
  addEventListener('pageshow', () => { sent = false; });
}
`;
