import type { Htmx } from 'htmx.org';
import { askLostAnswers, forgetPress, keepPress, sendPress } from './kept-presses.ts';
import { fetchPatiently, isRefused } from './patient-fetch.ts';
import { sendFormsPatiently } from './patient-form.ts';

declare const htmx: Htmx;

/** The part of htmx's result that its types do not contain. */
type Answered = { hx?: { redirect?: string } };

/** Longer than a payment on this page takes, and shorter than a buyer waits for a page that does not come. */
const leavingMs = 15_000;

/**
 * Rules for the form that htmx itself does not have. An answer never overwrites newer input, and the buyer pays the
 * displayed total only once. It is a block, because it is in the same file as htmx.
 */
{
  const form = document.querySelector<HTMLFormElement>('#checkout');
  const payButton = () => document.getElementById('pay');
  let isDue = false;
  let requests = 0;
  /** Whether the latest question about the total has no answer yet, although it was sent at least once. */
  let isStale = false;
  let isLeaving = false;
  let isPaying = false;
  let unlocking = 0;
  let patience = 0;
  /** The entries of the latest press on Pay that nobody has answered, and their key. */
  let unanswered = { entries: '', key: '' };
  /** The entries of the page with which the server has answered a payment, until another total is asked for. */
  let answered = '';
  let label = '';
  let isSettling = false;
  let pressed: Element | null = null;
  const hiddenValue = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value;
  const shownCurrency = () => hiddenValue('shown_currency');
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
    form.addEventListener('input', ({ target }) => {
      pressed = null;
      forget();
      settleFault(target as Element);
    });
    form.addEventListener('htmx:error', () => sayStale(form));
    addEventListener('pageshow', unlockPaying);
    addEventListener('offline', () => sayAtButton(form.dataset['offline']));
    addEventListener('online', () => {
      forget();
      price(form);
    });
  } else {
    // Without an answer, the page stays as every browser sees it. The next reload asks again.
    askLostAnswers().catch(() => undefined);
  }

  /**
   * Removes the error mark from a field that the buyer corrects. The message only becomes invisible, so that nothing
   * moves while the buyer types.
   */
  function settleFault(field: Element): void {
    if (!field.hasAttribute('aria-invalid')) return;
    field.removeAttribute('aria-invalid');
    document.getElementById(`${field.id}-fault`)?.toggleAttribute('data-settled', true);
    const box = document.querySelector('.faults');
    box?.querySelector(`a[href="#${field.id}"]`)?.parentElement?.toggleAttribute('data-settled', true);
    if (box && !box.querySelector('li:not([data-settled])')) box.toggleAttribute('data-settled', true);
  }

  /** A place beside the pressed button. If none was pressed, it is beside the Pay button. */
  const besideButton = (place: '.told' | '.slow') =>
    pressed?.closest('.choice, #codes')?.querySelector(place) ?? document.querySelector(`.pay-bar ${place}`);

  /** Shows a message at the pressed button, such as that no answer has come. It stays until the buyer does something. */
  function sayAtButton(text = ''): void {
    forget();
    besideButton('.told')?.append(noteOf('told', text));
  }

  function noteOf(id: string, text = ''): HTMLElement {
    const note = document.createElement('div');
    note.id = id;
    note.className = 'advice';
    note.setAttribute('role', 'alert');
    note.textContent = text;
    return note;
  }

  function forget(): void {
    for (const id of ['told', 'pay-news']) document.getElementById(id)?.remove();
  }

  sendFormsPatiently();
  for (const list of document.querySelectorAll<HTMLSelectElement>('#language, #offer #country')) followChoice(list);
  for (const preset of document.querySelectorAll<HTMLElement>('#offer .preset'))
    preset.addEventListener('click', choose);
  document.querySelector('#offer #amount')?.addEventListener('input', () => mark(null));

  /** Puts the amount of a link into the field of a product's page. Without a script, the link opens the page with it. */
  function choose(this: HTMLElement, event: Event): void {
    const field = document.querySelector<HTMLInputElement>('#amount');
    if (!field) return;
    event.preventDefault();
    field.value = this.dataset['amount'] ?? '';
    mark(this);
  }

  /** Marks the chosen one of the suggested amounts. */
  function mark(chosen: HTMLElement | null): void {
    for (const preset of document.querySelectorAll('#offer .preset')) {
      if (preset === chosen) preset.setAttribute('aria-current', 'true');
      else preset.removeAttribute('aria-current');
    }
  }

  function isTyped(element: Element, attribute: string): boolean {
    if (attribute === 'open' || attribute === 'aria-busy') return true;
    return attribute === 'value' && element.matches('input:not([type=hidden])');
  }

  function watchRequests(form: HTMLFormElement): void {
    form.addEventListener('input', ({ target }) => {
      if ((target as Element).matches('[data-priced]')) isDue = true;
    });
    form.addEventListener('htmx:config:request', (event) => {
      const fetch = (address: string, request: RequestInit) => askTotal(form, address, request);
      Object.assign(event.detail.ctx, { fetch });
      // A question that was delayed while the buyer typed would remove what the page says about the payment.
      if (isPaying || entriesOf(form) === answered) event.preventDefault();
      else answered = '';
    });
    form.addEventListener('htmx:before:request', () => {
      isDue = false;
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

  /** Asks for the total until somebody answers. A buyer who has pressed Pay does not wait for another try. */
  async function askTotal(form: HTMLFormElement, address: string, request: RequestInit): Promise<Response> {
    const isHurried = () => waiting.length > 0;
    const answer = await fetchPatiently(address, request, { tries: 5, onRefusal: () => sayStale(form), isHurried });
    if (!isRefused(answer)) settleStale();
    return answer;
  }

  /** Says beside the Pay button that the displayed total may not be current. */
  function sayStale(form: HTMLFormElement): void {
    isStale = true;
    if (!navigator.onLine) sayAtButton(form.dataset['offline']);
    else if (!document.getElementById('stale'))
      document.querySelector('.pay-bar .told')?.append(noteOf('stale', form.dataset['stale']));
  }

  function settleStale(): void {
    isStale = false;
    document.getElementById('stale')?.remove();
  }

  function watchSubmits(form: HTMLFormElement): void {
    form.addEventListener('submit', (event) => {
      const button = event.submitter as HTMLButtonElement | null;
      pressed = button;
      forget();
      if (isPricedByScript(form, button)) {
        event.preventDefault();
      } else if (button?.hasAttribute('formaction')) {
        // The form leads to another address, where nothing is paid.
      } else {
        event.preventDefault();
        if (!isPaying) void payOnce(form);
      }
    });
  }

  /** Pays what is displayed. A browser that reports that it is offline may be wrong, so the script asks for the price first. */
  function payOnce(form: HTMLFormElement): Promise<void> {
    isDue ||= isStale || !navigator.onLine;
    return isDue || requests > 0 ? payWhenPriced(form) : pay(form);
  }

  /** Whether a button only changes the price. If so, the script asks for the new price, and the page stays open. */
  function isPricedByScript(form: HTMLFormElement, button: HTMLButtonElement | null): boolean {
    if (button?.name === 'preset' || button?.name === 'quantity_step') fillField(form, button);
    else if (button?.name === codeAction) sendCode(form, button);
    else if (isTypingCode()) sendCode(form, document.querySelector('#apply-code'));
    else return false;
    return true;
  }

  /**
   * Puts the value of a button into its field: an amount, or one unit more or less. A number field keeps its limits.
   */
  function fillField(form: HTMLFormElement, button: HTMLButtonElement): void {
    const input = button.closest('.choice')?.querySelector('input');
    if (!input) return;
    if (button.name === 'preset') input.value = button.dataset['amount'] ?? '';
    else input[button.value.endsWith('-1') ? 'stepDown' : 'stepUp']();
    price(form);
  }

  /** Whether the buyer is typing a code. Then the Enter key applies the code, and does not pay. */
  function isTypingCode(): boolean {
    const field = codeField();
    return field !== null && field === document.activeElement && field.value.trim() !== '';
  }

  /** Asks for the price with a code applied or removed. */
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

  /**
   * Empties the field of a code that was applied. If the pressed button no longer exists, the focus moves to a place
   * near it.
   */
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

  /** Empties the typed amount when the currency changes, because the amount was in the old currency. */
  function settleCurrency(): void {
    const shown = shownCurrency();
    const list = document.querySelector<HTMLSelectElement>('#currency');
    if (list && shown) list.value = shown;
    if (shown === currency) return;
    currency = shown;
    for (const input of document.querySelectorAll<HTMLInputElement>('[data-fresh]'))
      input.value = input.dataset['fresh'] ?? '';
  }

  /** The field, or the line that unfolds it if it is hidden. */
  const focusable = (field: HTMLElement): HTMLElement | null =>
    field.closest('details')?.open ? field : document.querySelector<HTMLElement>('#discount > summary');

  function price(form: HTMLFormElement): void {
    isDue = true;
    htmx.trigger(form, 'price');
  }

  async function payWhenPriced(form: HTMLFormElement): Promise<void> {
    const before = shownToPay();
    if (isDue) price(form);
    if (requests > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    if (isLeaving || isPaying) return;
    const isOffline = isStale && !navigator.onLine;
    // Without an answer, the server compares the total with the displayed one.
    const news = isStale ? undefined : newsSince(before);
    if (news) sayAtButton(news);
    if (isOffline || news) return payButton()?.focus();
    await pay(form);
  }

  /**
   * Pays by a request that is sent again until somebody answers. All tries have one key, also those of the next press
   * with the same entries, so the server carries out only one of them.
   */
  async function pay(form: HTMLFormElement): Promise<void> {
    lockPaying(form);
    isDue = false;
    const entries = entriesOf(form);
    if (unanswered.entries !== entries)
      unanswered = { entries, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    const { key } = unanswered;
    keepPress(hiddenValue('token') ?? '', key);
    try {
      const answer = await sendPayment(form, unanswered);
      // An older server redirects, to a site that the script may not read. The session's page leads there.
      const target = answer.type === 'opaqueredirect' ? sessionPage(form) : answer.headers.get('hx-redirect');
      const text = await answer.text();
      if (isRefused(answer)) return giveUp(form);
      unanswered = { entries: '', key: '' };
      forgetPress(key);
      if (target === null) return await showAnswer(form, entries, text);
      isLeaving = true;
      unlocking = setTimeout(unlockPaying, leavingMs);
      location.assign(target);
    } catch {
      giveUp(form);
    }
  }

  const entriesOf = (form: HTMLFormElement): string =>
    String(new URLSearchParams([...new FormData(form)] as [string, string][]));

  function sendPayment(form: HTMLFormElement, { entries, key }: typeof unanswered): Promise<Response> {
    const onRefusal = () => {
      clearTimeout(patience);
      sayWait(form.dataset['trying']);
    };
    return sendPress(form.action, { key, body: entries }, { tries: 6, onRefusal });
  }

  /** The address of the session's page. The open page may have the address of a form that was posted. */
  const sessionPage = ({ action }: HTMLFormElement): string => action.replace(/\/pay(?=\?|$)/, '');

  /** Says at the button that nobody has answered. The buyer can press it again. */
  function giveUp(form: HTMLFormElement): void {
    unlockPaying();
    sayAtButton(form.dataset['unanswered']);
    payButton()?.focus();
    if (entriesOf(form) !== unanswered.entries) price(form);
  }

  /** Shows the page with which the server has answered. The buyer's entries stay in the form. */
  async function showAnswer(form: HTMLFormElement, paid: string, text: string): Promise<void> {
    const target = document.getElementById('main');
    if (!target || !text.includes('id="main"')) return giveUp(form);
    const isChanged = entriesOf(form) !== paid;
    settleStale();
    await htmx.swap({ text, sourceElement: form, target, select: '#main', swap: 'outerMorph' });
    unlockPaying();
    settleCode();
    settleCurrency();
    answered = isChanged ? '' : entriesOf(form);
    if (isChanged) price(form);
  }

  /**
   * Why the buyer must press again: another currency, a total that was not shown or typed, or other words for the law.
   * A typed total counts only if neither a code nor tax had changed it.
   */
  function newsSince(before: ReturnType<typeof shownToPay>): string | undefined {
    const { total, typed, currency, words } = shownToPay();
    const { changed, reworded } = payButton()?.dataset ?? {};
    // Without a total, the server says what is missing.
    if (total === '') return undefined;
    const isAsTyped = before.total === before.typed && total === typed;
    if (currency !== before.currency || (total !== before.total && !isAsTyped)) return changed;
    return words && words !== before.words ? reworded : undefined;
  }

  /** The total that the page shows, the one that the buyer has typed, the currency, and the words for the law. */
  const shownToPay = () => ({
    total: hiddenValue('expected_total'),
    typed: hiddenValue('typed_total'),
    currency: shownCurrency(),
    words: payButton()?.dataset['words'],
  });

  /**
   * Locks the Pay button until there is an answer. There is no event when the buyer stops the next page from opening,
   * so then the button is unlocked later. A button that the server had disabled stays so.
   */
  function lockPaying(form: HTMLFormElement): void {
    isPaying = true;
    saySlowly(form);
    const button = payButton();
    if (!button) return;
    label = button.textContent;
    button.dataset['locked'] = button.getAttribute('aria-disabled') ?? 'false';
    button.setAttribute('aria-disabled', 'true');
    button.textContent = button.dataset['paying'] ?? label;
    say(button.textContent);
  }

  function unlockPaying(): void {
    clearTimeout(unlocking);
    isPaying = false;
    isLeaving = false;
    stopSayingSlow();
    releaseButton(payButton());
    say('');
  }

  /** Removes the lock of a press. A page that the server sent meanwhile has none. */
  function releaseButton(button: HTMLElement | null): void {
    if (button?.dataset['locked'] === undefined) return;
    if (button.dataset['locked'] === 'false') button.removeAttribute('aria-disabled');
    delete button.dataset['locked'];
    if (button.textContent === button.dataset['paying']) button.textContent = label;
  }

  /** Tells the buyer after three seconds that the answer is slow. */
  function saySlowly(form: HTMLFormElement): void {
    clearTimeout(patience);
    patience = setTimeout(() => sayWait(form.dataset['slow']), 3_000);
  }

  function stopSayingSlow(): void {
    clearTimeout(patience);
    for (const status of document.querySelectorAll('.slow')) status.textContent = '';
  }

  function sayWait(text = ''): void {
    const status = besideButton('.slow');
    if (status) status.textContent = text;
  }

  /** Announces a text to buyers who use a screen reader. */
  function say(text: string): void {
    const status = document.getElementById('paying');
    if (status) status.textContent = text;
  }

  /**
   * Reloads the page in the chosen language, or with the price of the chosen country. A choice made with the keyboard waits until the buyer leaves the list or
   * presses Enter. Otherwise each arrow key would reload the page.
   */
  function followChoice(list: HTMLSelectElement): void {
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
