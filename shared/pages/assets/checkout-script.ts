/**
 * What htmx cannot know of this page: what the buyer has typed since an answer was asked for is theirs,
 * and what is paid is what was shown, once. A block, because it lies in one file with htmx.
 */
export const checkoutScript = `{
  const form = document.getElementById('checkout');
  htmx.registerExtension('checkout', {
    htmx_before_morph_attr: (element, { attrName }) => !isOwn(element, attrName),
  });
  if (form) enhance(form);

  function isOwn(element, name) {
    if (name === 'open' || name === 'aria-busy') return true;
    return name === 'value' && element.matches('input:not([type=hidden])');
  }

  function enhance(form) {
    let isDue = false;
    let asked = 0;
    let isLeaving = false;
    let lock = 0;
    let waiting = [];

    function price() {
      isDue = true;
      htmx.trigger(form, 'price');
    }

    async function payWhenPriced(button) {
      const before = form.elements.expected_total.value;
      if (isDue) price();
      if (asked > 0) await new Promise((resolve) => waiting.push(resolve));
      if (isLeaving) return;
      if (form.elements.expected_total.value !== before) return document.getElementById('pay').focus();
      isDue = false;
      form.requestSubmit(button);
    }

    // No event tells that the buyer has stopped a payment, so the button comes back; that it pays once is the server's part.
    function lockPaying() {
      lock = setTimeout(unlockPaying, 15000);
      document.getElementById('pay').setAttribute('aria-disabled', 'true');
    }

    function unlockPaying() {
      clearTimeout(lock);
      lock = 0;
      document.getElementById('pay').removeAttribute('aria-disabled');
    }

    form.addEventListener('input', (event) => {
      if (event.target.matches('[data-priced]')) isDue = true;
    });
    form.addEventListener('htmx:before:request', () => {
      isDue = false;
      asked += 1;
      form.setAttribute('aria-busy', 'true');
    });
    form.addEventListener('htmx:finally:request', (event) => {
      asked -= 1;
      isLeaving ||= Boolean(event.detail.ctx.hx && event.detail.ctx.hx.redirect);
      if (asked > 0) return;
      form.removeAttribute('aria-busy');
      waiting.splice(0).forEach((resolve) => resolve());
    });
    form.addEventListener('submit', (event) => {
      const button = event.submitter;
      if (button && button.name === 'preset') {
        event.preventDefault();
        button.closest('.choice').querySelector('input').value = button.dataset.amount;
        return price();
      }
      if (button && button.hasAttribute('formaction')) return;
      if (lock) return event.preventDefault();
      if (isDue || asked > 0) {
        event.preventDefault();
        payWhenPriced(button);
        return;
      }
      lockPaying();
    });
    addEventListener('pageshow', unlockPaying);
  }
}
`;
