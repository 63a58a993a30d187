import { env } from '../env.ts';
import type { PageRequest } from '../http/page.ts';
import { pageHeaders } from '../pages/headers.ts';
import { type Html, html } from '../pages/html.ts';
import type { Locale } from '../pages/locale.ts';
import { dashboardTexts } from '../texts/texts.ts';
import { documentOf, languageChooser, sandboxStrip, scriptTexts } from './frame.ts';
import { languageOf } from './language.ts';
import { dashboardMenu } from './navigation.ts';
import { textsOf } from './texts.ts';

/** The data of a page that works without a session. */
export interface Gate {
  merchant: string;
  isSandbox: boolean;
  locale: Locale;
  /** The path of the page, without parameters. */
  path: string;
}

/** The merchant, and the visitor's language. */
export const gateOf = (request: PageRequest): Gate => ({
  merchant: env.merchant().name,
  isSandbox: env.stage() === 'sandbox',
  locale: languageOf(request),
  path: request.path,
});

interface GateContent {
  title: string;
  main: Html;
  statusCode?: number;
  /** The parameters that stay in the address when the language changes. Null if the page cannot be opened again. */
  kept?: Readonly<Record<string, string>> | null;
}

/** A page that works without a session, such as the sign-in page. */
export function gatePage(gate: Gate, { title, main, statusCode = 200, kept = {} }: GateContent) {
  const { merchant, isSandbox, locale } = gate;
  const body = documentOf(
    `${title} · ${merchant}`,
    html`${isSandbox && sandboxStrip(textsOf(dashboardTexts('frame'), gate))}
<main id="main" class="gate"${scriptTexts(textsOf(dashboardTexts('frame'), gate))}>
<p class="merchant"><span class="monogram" aria-hidden="true">${[...merchant][0]}</span><span dir="auto">${merchant}</span></p>
<h1>${title}</h1>
${main}
</main>
${kept && html`<footer>${languageChooser(gate, kept)}</footer>`}`,
    locale,
  );
  return { statusCode, headers: pageHeaders(), body };
}

interface Notice {
  title: string;
  text: string | Html;
  link: { href: string; label: string };
}

/** The HTML of a short text with links to continue. */
export const noticeOf = ({ title, text, link }: Notice, locale: Locale): string =>
  documentOf(
    title,
    html`<main id="main" class="gate"><div class="card"><h1>${title}</h1>
<p class="soft">${text}</p>
<p class="submit"><a class="button" href="${link.href}">${link.label}</a></p></div></main>`,
    locale,
  );

/** A short text beside the navigation, for an address below `/dashboard` that leads nowhere. */
export const wrongAddressPage = ({ title, text }: Pick<Notice, 'title' | 'text'>, locale: Locale): string =>
  documentOf(
    title,
    html`<div class="house"><header class="side">${dashboardMenu(undefined, undefined, textsOf(dashboardTexts('frame'), { locale }))}</header>
<main id="main"><div class="headline"><h1>${title}</h1></div><p class="soft">${text}</p></main></div>`,
    locale,
  );

/** A text with a shell command in it. */
export function withCommand(text: string, command: string): Html {
  const [before = '', after] = text.split('{command}');
  return after === undefined ? html`${before}` : html`${before}<code>${command}</code>${after}`;
}

export const firstKeyCommand = 'npm run keys -- create --access admin';
