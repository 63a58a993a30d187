/**
 * The pages' script. The pages work without it; with it, what is priced is priced as it is typed.
 * The answer to the same form post is laid over the page: elements stay the same ones, so that focus, cursor and keyboard stay too.
 */
export const checkoutScript = `const form = document.getElementById('checkout');
const waiting = document.querySelector('[data-poll-seconds]');
if (form) enhance(form);
if (waiting) poll(Number(waiting.dataset.pollSeconds) * 1000);

function enhance(form) {
  let timer;
  let request;
  let running = Promise.resolve();
  let settled = false;
  let paying = false;
  let shown = snapshot();

  function snapshot() {
    const fields = new URLSearchParams(new FormData(form));
    fields.delete('expected_total');
    return fields.toString();
  }

  function schedule(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(refresh, milliseconds);
  }

  function refresh() {
    clearTimeout(timer);
    const body = snapshot();
    if (body === shown) return running;
    if (request) request.abort();
    request = new AbortController();
    running = load(body, request.signal);
    return running;
  }

  async function load(body, signal) {
    form.setAttribute('aria-busy', 'true');
    try {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'hx-request': 'true' };
      const response = await fetch(document.getElementById('update').formAction, { method: 'POST', headers, body, signal });
      if (response.redirected) return location.assign(response.url);
      if (!response.ok && response.status !== 422) return;
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      lay(document.getElementById('main'), page.getElementById('main'));
      shown = body;
    } catch (error) {
      if (error.name !== 'AbortError') console.warn('The total could not be updated.', error);
    } finally {
      if (!signal.aborted) form.removeAttribute('aria-busy');
    }
  }

  function press(button) {
    const input = button.closest('.choice').querySelector('input');
    input.value = button.dataset.amount;
    return refresh();
  }

  async function pay(button) {
    const before = form.elements.expected_total.value;
    await refresh();
    if (form.elements.expected_total.value !== before) return document.getElementById('pay').focus();
    settled = true;
    form.requestSubmit(button);
  }

  form.addEventListener('input', (event) => {
    if (event.target.matches('input[data-priced]') && !event.isComposing) schedule(600);
  });
  form.addEventListener('change', (event) => {
    if (event.target.matches('[data-priced]')) refresh();
  });
  document.getElementById('language').addEventListener('change', (event) => {
    if (event.target.hasAttribute('data-navigates')) form.requestSubmit(document.getElementById('switch-language'));
  });
  form.addEventListener('submit', (event) => {
    const button = event.submitter;
    if (button && button.name === 'preset') {
      event.preventDefault();
      press(button);
      return;
    }
    if (button && button.hasAttribute('formaction')) return;
    if (paying) return event.preventDefault();
    if (!settled && (form.hasAttribute('aria-busy') || isStale())) {
      event.preventDefault();
      pay(button);
      return;
    }
    paying = true;
    document.getElementById('pay').setAttribute('aria-disabled', 'true');
  });
  addEventListener('pageshow', () => {
    paying = false;
    document.getElementById('pay').removeAttribute('aria-disabled');
  });

  function isStale() {
    const relevant = (text) => [...new URLSearchParams(text)].filter(([name]) => isPriced(name)).join();
    return relevant(snapshot()) !== relevant(shown);
  }

  function isPriced(name) {
    const field = form.elements[name];
    return field instanceof Element && field.hasAttribute('data-priced');
  }
}

/** Makes one tree look like the other, element by element, and keeps what the buyer has typed since. */
function lay(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  layAttributes(old, fresh);
  const theirs = [...fresh.childNodes];
  const ours = [...old.childNodes];
  ours.slice(theirs.length).forEach((node) => node.remove());
  theirs.forEach((node, index) => (ours[index] ? lay(ours[index], node) : old.append(node)));
}

function layAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !isOwn(name)) old.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value && !isOwn(name)) old.setAttribute(name, value);
  }
}

/** What the buyer or this script has set since. */
const isOwn = (name) => name === 'open' || name === 'aria-busy';

/** Looks again until there is something else to see. */
function poll(milliseconds) {
  setTimeout(async () => {
    const response = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined);
    const text = response ? await response.text() : '';
    if (response && response.status < 500 && !text.includes('data-poll-seconds')) location.reload();
    else poll(Math.min(milliseconds * 1.5, 15000));
  }, milliseconds);
}
`;
