import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { firstKeyCommand, type Gate, gatePage, withCommand } from '../gate-page.ts';
import { type Texts, textsOf } from '../texts.ts';

interface SignInView extends Gate {
  /** The page to open after the sign-in. */
  next: string;
  /** Why the sign-in failed. */
  fault?: string | undefined;
  /** The address of the sign-in with one click. It exists only in a sandbox on a developer's machine. */
  oneClick?: string | undefined;
  /** Whether members can request a sign-in link by mail. */
  mailsLinks: boolean;
  statusCode?: number;
}

/**
 * The sign-in page. Members get a link by mail. An API key also signs in, because its holder can already use the API.
 */
export function signInPage(view: SignInView) {
  const { next, oneClick, mailsLinks, statusCode = 200 } = view;
  const t = textsOf(dashboardTexts('signIn'), view);
  return gatePage(view, {
    title: t('title'),
    statusCode,
    kept: { next },
    main: html`${oneClick && oneClickForm(oneClick, next, t)}
${mailsLinks && linkForm(next, t)}
${keyForm(view, t)}
<p class="hint">${withCommand(t('key.none'), firstKeyCommand)}</p>`,
  });
}

const nextField = (next: string): Html => html`<input type="hidden" name="next" value="${next}">`;

const oneClickForm = (address: string, next: string, t: Texts<TextKey<'signIn'>>): Html =>
  html`<form class="card" method="post" action="${address}">${nextField(next)}
<button class="main">${t('oneClick')}</button>
<p class="hint">${t('oneClick.hint')}</p></form>`;

const linkForm = (next: string, t: Texts<TextKey<'signIn'>>): Html =>
  html`<form class="card" method="post" action="/dashboard/sign-in/link">${nextField(next)}
<div class="field"><label for="email">${t('email')}</label>
<input id="email" name="email" type="email" required autocomplete="email" spellcheck="false" maxlength="254" aria-describedby="email-hint">
<p class="hint" id="email-hint">${t('email.hint')}</p></div>
<div class="submit"><button class="main">${t('email.button')}</button></div></form>`;

const keyForm = ({ next, fault, isSandbox, mailsLinks }: SignInView, t: Texts<TextKey<'signIn'>>): Html =>
  html`<form class="card" method="post" action="/dashboard/sign-in">${nextField(next)}
${mailsLinks && html`<h2>${t('email.or')}</h2>`}
<div class="field"><label for="key">${t('key')}</label>
<input id="key" name="key" type="password" required autocomplete="current-password" spellcheck="false" maxlength="100"${fault !== undefined && html` aria-invalid="true" aria-describedby="key-fault"`}${(!mailsLinks || fault !== undefined) && html` autofocus`}>
<p class="fault" id="key-fault"${fault !== undefined && html` role="alert"`}>${fault}</p>
<p class="hint">${t(isSandbox ? 'key.sandbox' : 'key.live')} ${t('key.rights')}</p></div>
<div class="submit"><button class="${mailsLinks ? 'second' : 'main'}">${t('title')}</button></div>
</form>`;
