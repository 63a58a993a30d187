import { type Grantor, isPermitted } from '../domain/access/access.ts';
import type { FormCommand } from '../domain/access/dashboard-commands.ts';
import type { PageViewer } from '../domain/access/dashboard-pages.ts';
import { mayLeave } from '../domain/access/left-behind.ts';
import { icon } from '../pages/assets/asset.ts';
import { type PageNeeds, pageHeaders } from '../pages/headers.ts';
import { type Html, html } from '../pages/html.ts';
import type { Locale } from '../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../texts/texts.ts';
import { dashboardScript, dashboardStylesheet } from './assets/asset.ts';
import { offeredLanguages } from './language.ts';
import { dashboardMenu, type SectionPath } from './navigation.ts';
import { type FrameTexts, textsOf } from './texts.ts';
import type { Visit } from './visit.ts';

/** The viewer of the page, and the hidden values of the viewer's forms. */
interface FrameViewer extends Grantor, PageViewer {
  keyName: string;
  formToken: string;
}

/** The data that every dashboard page needs. */
export interface Frame {
  merchant: string;
  isSandbox: boolean;
  viewer: FrameViewer;
  /** The id of the forms on this page. */
  formId: string;
  /** The action that was just done. The text of the frame has the key `done.` and this name. */
  done: string | undefined;
  locale: Locale;
  /** The path of the page, without parameters. */
  path: string;
}

/** Whether the viewer's key allows a command. The page hides commands that it does not allow. */
export const may = ({ viewer }: Pick<Frame, 'viewer'>, { needs, leaves }: FormCommand): boolean =>
  isPermitted(viewer, needs) && mayLeave(viewer, leaves);

export const frameOf = ({ request, viewer, formId, merchant, isSandbox, locale }: Visit): Frame => ({
  merchant,
  isSandbox,
  viewer,
  formId,
  locale,
  path: request.path,
  done: request.query('done'),
});

export interface Content {
  title: string;
  /** The section of the dashboard that contains the page. */
  section: SectionPath;
  /** The page above this one in the section. */
  above?: { href: string; label: string };
  main: Html;
  /** The command that changes what the page shows. The page tells other viewers who may. */
  changes?: FormCommand;
  /** Buttons for actions on the whole page. */
  actions?: Html | undefined;
}

interface Answered extends Pick<PageNeeds, 'images' | 'hasFrames' | 'connectOrigins'> {
  statusCode?: number;
}

/** A page of the dashboard, as an HTTP response. */
export const dashboardAnswer = (frame: Frame, content: Content, { statusCode = 200, ...needs }: Answered = {}) => ({
  statusCode,
  headers: pageHeaders(needs),
  body: dashboardPage(frame, content),
});

function dashboardPage(frame: Frame, { title, section, above, main, changes, actions }: Content): string {
  const t = textsOf(dashboardTexts('frame'), frame);
  const body = html`<a class="skip" href="#main">${t('skip')}</a>
${frame.isSandbox && sandboxStrip(t)}
<div class="house">
<header class="side">
<p class="merchant"><span class="monogram" aria-hidden="true">${[...frame.merchant][0]}</span><span dir="auto">${frame.merchant}</span></p>
${dashboardMenu(section, frame.viewer, t)}
${signedIn(frame, t)}
</header>
<main id="main"${scriptTexts(t)}>
${above && html`<p class="above"><a href="${above.href}">← ${above.label}</a></p>`}
<div class="headline"><h1 dir="auto">${title}</h1>${actions && html`<div class="actions">${actions}</div>`}</div>
${doneNote(frame, t)}${changes && lockedNote(frame, changes, t)}
${main}
</main>
</div>
<footer>${languageChooser(frame)}</footer>`;
  return documentOf(`${title} · ${frame.merchant}`, body, frame.locale);
}

/** The texts for the script, which contains no texts itself. */
export const scriptTexts = (t: FrameTexts): Html =>
  html` data-offline="${t('offline')}" data-slow="${t('slow')}" data-stale="${t('stale')}" data-copied="${t('copied')}"`;

export const sandboxStrip = (t: FrameTexts): Html =>
  html`<aside class="sandbox" aria-label="${t('stage')}">${t('sandbox')}</aside>`;

/**
 * The note about an action that was just done. The address contains only the key of the text, so a link cannot show any
 * other text.
 */
function doneNote({ done }: Frame, t: FrameTexts): Html {
  const key = `done.${done}`;
  return isFrameKey(key) ? html`<p class="note done" role="status">${t(key)}</p>` : html``;
}

/** The note on a page that this viewer may look at, but not change. */
const lockedNote = (frame: Frame, command: FormCommand, t: FrameTexts): Html =>
  may(frame, command)
    ? html``
    : html`<p class="note">${t(command.needs === 'admin' ? 'locked.admin' : 'locked.write')}</p>`;

const isFrameKey = (key: string): key is TextKey<'frame'> => Object.hasOwn(dashboardTexts('frame').en, key);

/** The viewer's highest level of access. */
function reachOf(viewer: FrameViewer): 'admin' | 'write' | 'refunds' | 'read' {
  if (isPermitted(viewer, 'admin')) return 'admin';
  if (isPermitted(viewer, 'write')) return 'write';
  return isPermitted(viewer, 'refunds') ? 'refunds' : 'read';
}

function signedIn({ viewer }: Frame, t: FrameTexts): Html {
  const [before = '', after = ''] = t(`signedIn.${reachOf(viewer)}`).split('{name}');
  return html`<form class="session" method="post" action="/dashboard/sign-out">
<p class="hint">${before}<strong dir="auto">${viewer.keyName}</strong>${after}</p>
<input type="hidden" name="token" value="${viewer.formToken}">
<button class="plain">${t('signOut')}</button>
</form>`;
}

/** The list of languages. A cookie stores the choice. The parameters in `kept` stay in the address. */
export function languageChooser(
  { locale, path }: Pick<Frame, 'locale' | 'path'>,
  kept: Readonly<Record<string, string>> = {},
): Html {
  const t = textsOf(dashboardTexts('frame'), { locale });
  return html`<form class="languages" method="get" action="${path}">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<label for="language">${t('language.label')}</label>
<select id="language" name="lang" data-submits>${offeredLanguages.map((one) => html`<option value="${one.locale}" lang="${one.locale}"${one.locale === locale && html` selected`}>${one.name}</option>`)}</select>
<button class="plain unscripted">${t('language.change')}</button></form>`;
}

/** The HTML document around a page of the dashboard. */
export const documentOf = (title: string, body: Html, locale: Locale = 'en'): string =>
  html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/assets/${icon.name}">
<link rel="stylesheet" href="/assets/${dashboardStylesheet.name}">
<script type="module" src="/assets/${dashboardScript.name}"></script>
</head>
<body>
${body}
</body>
</html>
`.text;
