import { fetchPatiently } from './patient-fetch.ts';

/** The button of the form that is being sent. */
let sending: HTMLElement | null = null;
/** Whether the page shows the answer to a form, which the browser did not load itself. */
let isAnswered = false;

/**
 * Sends a form again while the gateway refuses it, if the pressed button has words for that. Then it shows the answer as
 * the browser would. Only for forms that do no harm if they are carried out twice.
 */
export function sendFormsPatiently(): void {
  document.addEventListener('submit', (event) => {
    const { submitter: button, target: form, defaultPrevented } = event;
    if (!(form instanceof HTMLFormElement) || button?.dataset['trying'] === undefined || defaultPrevented) return;
    event.preventDefault();
    if (!sending) void send(form, button);
  });
  addEventListener('pageshow', release);
  addEventListener('popstate', () => {
    if (isAnswered && location.hash === '') location.reload();
  });
}

async function send(form: HTMLFormElement, button: HTMLElement): Promise<void> {
  release();
  sending = button;
  button.setAttribute('aria-disabled', 'true');
  const status = noteAfter(button, 'status');
  const onRefusal = () => {
    status.textContent = button.dataset['trying'] ?? '';
  };
  try {
    const answer = await fetchPatiently(form.action, requestOf(form, button), { tries: 6, onRefusal, accepts: isPage });
    const target = answer.headers.get('hx-redirect');
    if (target !== null) location.assign(target);
    // A function of an older version redirects to a place that the script may not read.
    else if (answer.type === 'opaqueredirect') postByBrowser(form, button);
    else if (isPage(answer)) show(form, button, await answer.text());
    else giveUp(button);
  } catch {
    giveUp(button);
  }
}

function requestOf(form: HTMLFormElement, button: HTMLElement): RequestInit {
  const body = new URLSearchParams([...new FormData(form)] as [string, string][]);
  if (button instanceof HTMLButtonElement && button.name !== '') body.append(button.name, button.value);
  return { method: 'POST', headers: { 'hx-request': 'true' }, body, redirect: 'manual' };
}

/** Whether a function has answered with a page. The gateway's own words are JSON, and CloudFront's have 502 to 504. */
const isPage = ({ headers, status }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/html') === true && ![502, 503, 504].includes(status);

/** Shows the page of an answer in place of the open one, as a new entry of the history. */
function show(form: HTMLFormElement, button: HTMLElement, text: string): void {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const main = page.getElementById('main');
  if (!main) {
    postByBrowser(form, button);
    return;
  }
  release();
  isAnswered = true;
  history.pushState(null, '', form.action);
  document.title = page.title;
  document.getElementById('main')?.replaceWith(main);
  main.tabIndex = -1;
  main.focus();
  scrollTo(0, 0);
}

function postByBrowser(form: HTMLFormElement, button: HTMLElement): void {
  release();
  delete button.dataset['trying'];
  form.requestSubmit(button);
}

function giveUp(button: HTMLElement): void {
  release();
  const note = noteAfter(button, 'alert');
  note.className = 'advice';
  note.textContent = button.dataset['unanswered'] ?? '';
}

function release(): void {
  sending?.removeAttribute('aria-disabled');
  sending = null;
  for (const note of document.querySelectorAll('.patience')) note.remove();
}

/** An empty note below the button. A screen reader reads what is put into it. */
function noteAfter(button: HTMLElement, role: 'status' | 'alert'): HTMLElement {
  const place = document.createElement('div');
  place.className = 'patience';
  const note = document.createElement('p');
  note.className = 'hint';
  note.setAttribute('role', role);
  place.append(note);
  button.after(place);
  return note;
}
