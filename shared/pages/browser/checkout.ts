import type { Htmx } from 'htmx.org';

declare const htmx: Htmx;

/** What htmx keeps of an answer's headers, which its types leave out. */
type Answered = { hx?: { redirect?: string } };

/**
 * What htmx cannot know of this page: an answer never overwrites what the buyer has typed since, and the buyer pays
 * what was shown, once. A block, because it is in one file with htmx.
 */
{
  const form = document.querySelector<HTMLFormElement>('#checkout');
  const payButton = () => document.getElementById('pay');
  let isDue = false;
  let requests = 0;
  let isOffline = false;
  let isLeaving = false;
  let lock = 0;
  let patience = 0;
  let label = '';
  let isSettling = false;
  const shownCurrency = () => document.querySelector<HTMLInputElement>('[name=shown_currency]')?.value;
  let currency = shownCurrency();
  const codeAction = 'code_action';
  const codeField = () => document.querySelector<HTMLInputElement>('#code');
  const waiting: (() => void)[] = [];

  htmx.registerExtension('checkout', {
    htmx_before_morph_attr: (element: Element, { attrName }: { attrName: string }) => !isTyped(element, attrName),
  });
  if (form) {
    watchRequests(form);
    watchSubmits(form);
    form.addEventListener('input', ({ target }) => settleFault(target as Element));
    form.addEventListener('htmx:error', () => {
      isDue = true;
      isOffline = true;
      sayOffline(form);
    });
    addEventListener('pageshow', unlockPaying);
    addEventListener('offline', () => sayOffline(form));
    addEventListener('online', () => {
      document.getElementById('offline')?.remove();
      price(form);
    });
  }

  /** A corrected field is no longer marked. Its fault keeps its room, so nothing moves while the buyer types. */
  function settleFault(field: Element): void {
    if (!field.hasAttribute('aria-invalid')) return;
    field.removeAttribute('aria-invalid');
    document.getElementById(`${field.id}-fault`)?.toggleAttribute('data-settled', true);
    const box = document.querySelector('.faults');
    box?.querySelector(`a[href="#${field.id}"]`)?.parentElement?.toggleAttribute('data-settled', true);
    if (box && !box.querySelector('li:not([data-settled])')) box.toggleAttribute('data-settled', true);
  }

  /** Where no answer came: what is shown may be old, and the buyer should know why. */
  function sayOffline(form: HTMLFormElement): void {
    const note = document.createElement('div');
    note.id = 'offline';
    note.className = 'advice';
    note.setAttribute('role', 'alert');
    note.textContent = form.dataset['offline'] ?? '';
    document.getElementById('advice')?.replaceChildren(note);
  }

  const languages = document.querySelector<HTMLSelectElement>('#language');
  if (languages) followLanguage(languages);

  function isTyped(element: Element, attribute: string): boolean {
    if (attribute === 'open' || attribute === 'aria-busy') return true;
    return attribute === 'value' && element.matches('input:not([type=hidden])');
  }

  function watchRequests(form: HTMLFormElement): void {
    form.addEventListener('input', ({ target }) => {
      if ((target as Element).matches('[data-priced]')) isDue = true;
    });
    form.addEventListener('htmx:before:request', () => {
      isDue = false;
      isOffline = false;
      requests += 1;
      saySlowly(form);
      form.setAttribute('aria-busy', 'true');
    });
    form.addEventListener('htmx:finally:request', ({ detail }) => {
      requests -= 1;
      isLeaving ||= Boolean((detail.ctx as Answered).hx?.redirect);
      if (requests > 0) return;
      stopSayingSlow();
      form.removeAttribute('aria-busy');
      settleCode();
      settleCurrency();
      for (const resolve of waiting.splice(0)) resolve();
    });
  }

  function watchSubmits(form: HTMLFormElement): void {
    form.addEventListener('submit', (event) => {
      const button = event.submitter as HTMLButtonElement | null;
      if (isPricedByScript(form, button)) {
        event.preventDefault();
      } else if (button?.hasAttribute('formaction')) {
        // the form goes to another address, which takes no payment
      } else if (lock) {
        event.preventDefault();
      } else if (isDue || requests > 0 || !navigator.onLine) {
        // a browser that says it is offline may be wrong: the price that is asked for first decides
        isDue ||= !navigator.onLine;
        event.preventDefault();
        void payWhenPriced(form, button);
      } else {
        lockPaying(form);
      }
    });
  }

  /** Whether a button only changes the price, which is asked for without leaving the page. */
  function isPricedByScript(form: HTMLFormElement, button: HTMLButtonElement | null): boolean {
    if (button?.name === 'preset' || button?.name === 'quantity_step') fillField(form, button);
    else if (button?.name === codeAction) sendCode(form, button);
    else if (isTypingCode()) sendCode(form, document.querySelector('#apply-code'));
    else return false;
    return true;
  }

  /** Fills in what a button stands for: an amount, or one unit more or less. A number field keeps its own limits. */
  function fillField(form: HTMLFormElement, button: HTMLButtonElement): void {
    const input = button.closest('.choice')?.querySelector('input');
    if (!input) return;
    if (button.name === 'preset') input.value = button.dataset['amount'] ?? '';
    else input[button.value.endsWith('-1') ? 'stepDown' : 'stepUp']();
    price(form);
  }

  /** The Enter key in the field of codes applies the code; it does not pay. */
  function isTypingCode(): boolean {
    const field = codeField();
    return field !== null && field === document.activeElement && field.value.trim() !== '';
  }

  /** Asks for the price with what a button does to a code. */
  function sendCode(form: HTMLFormElement, button: HTMLButtonElement | null): void {
    const action = document.createElement('input');
    action.type = 'hidden';
    action.name = codeAction;
    action.value = button?.value ?? '';
    form.append(action);
    isSettling = true;
    price(form);
    action.remove();
  }

  /** An applied code leaves the field. The focus stays near a button that is gone. */
  function settleCode(): void {
    const field = codeField();
    if (!field) return;
    const typed = field.value.trim().toUpperCase();
    const isApplied = [...document.querySelectorAll<HTMLElement>('[data-code]')].some(
      ({ dataset }) => dataset['code'] === typed,
    );
    if (isApplied) field.value = '';
    if (document.activeElement === document.body && isSettling) focusable(field)?.focus();
    isSettling = false;
  }

  /** In another currency a chosen amount begins again: what was typed belongs to the one before. */
  function settleCurrency(): void {
    const shown = shownCurrency();
    const list = document.querySelector<HTMLSelectElement>('#currency');
    if (list && shown) list.value = shown;
    if (shown === currency) return;
    currency = shown;
    for (const input of document.querySelectorAll<HTMLInputElement>('[data-fresh]'))
      input.value = input.dataset['fresh'] ?? '';
  }

  /** The field, or what unfolds it. */
  const focusable = (field: HTMLElement): HTMLElement | null =>
    field.closest('details')?.open ? field : document.querySelector<HTMLElement>('#discount > summary');

  function price(form: HTMLFormElement): void {
    isDue = true;
    htmx.trigger(form, 'price');
  }

  async function payWhenPriced(form: HTMLFormElement, button: HTMLButtonElement | null): Promise<void> {
    const shownTotal = () => new FormData(form).get('expected_total');
    const before = shownTotal();
    if (isDue) price(form);
    if (requests > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    if (isLeaving) return;
    if (isOffline || shownTotal() !== before) return payButton()?.focus();
    isDue = false;
    form.requestSubmit(button);
  }

  /** No event says that the buyer has stopped a payment, so the button comes back. The server makes sure that it pays once. */
  function lockPaying(form: HTMLFormElement): void {
    lock = setTimeout(unlockPaying, 15_000);
    saySlowly(form);
    const button = payButton();
    if (!button) return;
    label = button.textContent;
    button.setAttribute('aria-disabled', 'true');
    button.textContent = button.dataset['paying'] ?? label;
    say(button.textContent);
  }

  function unlockPaying(): void {
    clearTimeout(lock);
    lock = 0;
    stopSayingSlow();
    const button = payButton();
    button?.removeAttribute('aria-disabled');
    if (button && button.textContent === button.dataset['paying']) button.textContent = label;
    say('');
  }

  /** Says that an answer takes long, before the buyer wonders. */
  function saySlowly(form: HTMLFormElement): void {
    clearTimeout(patience);
    patience = setTimeout(() => sayWait(form.dataset['slow'] ?? ''), 3_000);
  }

  function stopSayingSlow(): void {
    clearTimeout(patience);
    sayWait('');
  }

  function sayWait(text: string): void {
    const status = document.getElementById('slow');
    if (status) status.textContent = text;
  }

  /** Tells it to who hears the page. */
  function say(text: string): void {
    const status = document.getElementById('paying');
    if (status) status.textContent = text;
  }

  /**
   * The page changes its language with the choice. Keys only walk through the languages, until the buyer leaves the list or presses
   * Enter, because a page that changes under each key cannot be used.
   */
  function followLanguage(list: HTMLSelectElement): void {
    let shown = list.value;
    let isWalking = false;
    const follow = () => {
      if (list.value === shown) return;
      shown = list.value;
      list.form?.requestSubmit(list.parentElement?.querySelector('button'));
    };
    list.addEventListener('pointerdown', () => {
      isWalking = false;
    });
    list.addEventListener('keydown', ({ key }) => {
      isWalking = key !== 'Enter';
      if (!isWalking) follow();
    });
    list.addEventListener('change', () => {
      if (!isWalking) follow();
    });
    list.addEventListener('blur', follow);
  }
}
