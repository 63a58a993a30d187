import { pageHeaders } from '../../pages/headers.ts';
import { type Html, html } from '../../pages/html.ts';
import { documentOf } from '../frame.ts';

interface SignInView {
  merchant: string;
  isSandbox: boolean;
  /** Where to go on. */
  next: string;
  /** Why it did not work. */
  fault?: string | undefined;
  /** Where one click signs in, in the sandbox of a developer's machine. */
  oneClick?: string | undefined;
  statusCode?: number;
}

/** The sign-in page. It takes an API key, because a key holder can do everything by the API anyway. */
export function signInPage({ merchant, isSandbox, next, fault, oneClick, statusCode = 200 }: SignInView) {
  const main = html`<h1>Sign in</h1>
${
  oneClick &&
  html`<form class="card" method="post" action="${oneClick}"><input type="hidden" name="next" value="${next}">
<div class="submit"><button class="main">Sign in to this sandbox</button></div>
<p class="hint">One click is enough on your own machine. No deployed stack has this button.</p></form>`
}
<form class="card" method="post" action="/dashboard/sign-in">
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="key">API key</label>
<input id="key" name="key" type="password" required autocomplete="current-password" spellcheck="false" maxlength="100"${fault !== undefined && html` aria-invalid="true" aria-describedby="key-fault"`} autofocus>
<p class="fault" id="key-fault"${fault !== undefined && html` role="alert"`}>${fault}</p>
<p class="hint">${isSandbox ? 'A key of this sandbox begins with sk_test_.' : 'A key of this stack begins with sk_live_.'} Your key decides what you can do here. Keys, webhook secrets and addresses, and tax rules need a key with admin access.</p></div>
<div class="submit"><button class="main">Sign in</button></div>
</form>
<p class="hint">No key yet? The operator of this stack creates the first one with <code>npm run keys -- create --access admin</code>. A write key of version 0.1 can no longer manage keys, webhooks and tax.</p>`;
  const body = gate(`Sign in · ${merchant}`, { merchant, isSandbox }, main);
  return { statusCode, headers: pageHeaders(), body };
}

/** A page without a session. */
function gate(title: string, { merchant, isSandbox }: { merchant: string; isSandbox: boolean }, main: Html): string {
  return documentOf(
    title,
    html`${isSandbox && html`<aside class="sandbox" aria-label="Stage">Sandbox: no money moves.</aside>`}
<main id="main" class="gate">
<p class="merchant"><span class="monogram" aria-hidden="true">${[...merchant][0]}</span><span dir="auto">${merchant}</span></p>
${main}
</main>`,
  );
}

/** A few words, and where to go on. */
export const noticeOf = (title: string, text: string, link: { href: string; label: string }): string =>
  documentOf(
    title,
    html`<main id="main" class="gate"><div class="card"><h1>${title}</h1>
<p class="soft">${text}</p>
<p class="submit"><a class="button" href="${link.href}">${link.label}</a></p></div></main>`,
  );
