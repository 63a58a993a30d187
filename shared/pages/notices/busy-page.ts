import { createHash } from 'node:crypto';
import { busyTexts } from '../../texts/texts.ts';
import { languageAttributes } from '../direction.ts';
import { pageHeaders } from '../headers.ts';
import { type Html, html } from '../html.ts';
import { type Locale, locales } from '../locale.ts';
import { busyScript, busyStyles } from './built.ts';

/** How many seconds a browser without a script waits before it opens the address again. */
const pauseSeconds = 15;

const { 'content-security-policy': _, ...headers } = pageHeaders();

/** The headers of the page. Its content policy is in the page, because API Gateway cannot quote quotation marks. */
export const busyHeaders: Readonly<Record<string, string>> = {
  ...headers,
  'x-frame-options': 'DENY',
  'retry-after': String(pauseSeconds),
};

const hashOf = ({ text }: Html): string => createHash('sha256').update(text).digest('base64');

/**
 * The page that a buyer sees if the API refuses to open a page in a rush. It has all languages and loads no other file,
 * and it opens its own address again by itself. It contains no `$` and no `#`, so a template of API Gateway leaves it as
 * it is.
 */
export const busyPage = (): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'sha256-${hashOf(busyScript)}'; style-src 'sha256-${hashOf(busyStyles)}'; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${busyTexts.en.title}</title>
<style>${busyStyles}</style>
<noscript><meta http-equiv="refresh" content="${pauseSeconds}"></noscript>
</head>
<body>
<main>
<div class="waiting" aria-hidden="true"></div>
${locales.map(inLanguage)}</main>
<script>${busyScript}</script>
</body>
</html>
`.text;

function inLanguage(locale: Locale): Html {
  const { title, text, safe, again } = busyTexts[locale];
  return html`<div data-locale="${locale}"${languageAttributes(locale)}${locale !== 'en' && html` hidden`}>
<div role="status"><h1>${title}</h1>
<p>${text}</p>
<p class="safe">${safe}</p></div>
<a class="again" href="">${again}</a>
</div>
`;
}
