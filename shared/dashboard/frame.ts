import { isPermitted, type NeededAccess, type Rights } from '../domain/access/access.ts';
import { icon } from '../pages/assets/asset.ts';
import { pageHeaders } from '../pages/headers.ts';
import { type Html, html } from '../pages/html.ts';
import { dashboardScript, dashboardStylesheet } from './assets/asset.ts';
import type { Visit } from './visit.ts';

/** Who looks, and what their forms carry. */
interface FrameViewer extends Rights {
  keyName: string;
  formToken: string;
}

/** What every page of the dashboard needs to know. */
export interface Frame {
  merchant: string;
  isSandbox: boolean;
  viewer: FrameViewer;
  /** Names the forms of this page. */
  formId: string;
  /** What was just done; a key of `doneTexts`. */
  done: string | undefined;
}

/** Whether the viewer's key allows a command. Other commands are not offered. */
export const may = ({ viewer }: Pick<Frame, 'viewer'>, needed: NeededAccess): boolean => isPermitted(viewer, needed);

export const frameOf = ({ request, viewer, formId, merchant, isSandbox }: Visit): Frame => ({
  merchant,
  isSandbox,
  viewer,
  formId,
  done: request.query('done'),
});

/** The parts of the dashboard, in the order of its navigation. */
export const sections = [
  { path: '/dashboard', label: 'Overview' },
  { path: '/dashboard/products', label: 'Products' },
  { path: '/dashboard/payments', label: 'Payments' },
  { path: '/dashboard/disputes', label: 'Disputes' },
  { path: '/dashboard/customers', label: 'Customers' },
  { path: '/dashboard/exports', label: 'Exports' },
  { path: '/dashboard/returns', label: 'Returns' },
  { path: '/dashboard/tax', label: 'Tax' },
  { path: '/dashboard/webhooks', label: 'Webhooks' },
  { path: '/dashboard/brands', label: 'Brands' },
  { path: '/dashboard/keys', label: 'API keys' },
  { path: '/dashboard/audit-log', label: 'Audit log' },
] as const;

type SectionPath = (typeof sections)[number]['path'];

/** What a page says after a form. The address names only a key of this list, so a link cannot show other text. */
const doneTexts: Readonly<Record<string, string>> = {
  created: 'Created.',
  requested: 'The files are being made. Look again in a minute or two.',
  saved: 'Saved.',
  archived: 'Archived. It can no longer be bought.',
  restored: 'Back on sale.',
  refunded: 'Refunded.',
  refunding: 'The refund is on its way.',
  corrected: 'The invoice is corrected. The buyer gets the new one by mail, if you mail receipts.',
  resent: 'Sent again. The attempt appears below in a moment.',
  tested: 'A test event is on its way. The attempt appears below in a moment.',
  rotated: 'There is a new signing secret. The old one also signs for 24 hours.',
  recovered: 'Failed events are being sent again.',
  removed: 'Removed.',
  ended: 'Session ended. Its next click asks for a key.',
  erasing: 'The personal data is being erased. That takes a few minutes.',
  revoked: 'Key revoked. The next call with it is refused.',
};

export interface Content {
  title: string;
  /** The part of the dashboard that the page belongs to. */
  section: SectionPath;
  /** The page above it in that part. */
  above?: { href: string; label: string };
  main: Html;
  /** What can be done with all of it. */
  actions?: Html | undefined;
}

interface Answered {
  statusCode?: number;
  /** Addresses of the images on the page. */
  images?: readonly (string | null)[];
}

/** A page of the dashboard, as a function answers it. */
export const dashboardAnswer = (frame: Frame, content: Content, { statusCode = 200, images = [] }: Answered = {}) => ({
  statusCode,
  headers: pageHeaders({ images }),
  body: dashboardPage(frame, content),
});

function dashboardPage(frame: Frame, { title, section, above, main, actions }: Content): string {
  const body = html`<a class="skip" href="#main">Skip to the content</a>
${frame.isSandbox && html`<aside class="sandbox" aria-label="Stage">Sandbox: no money moves.</aside>`}
<div class="house">
<header class="side">
<p class="merchant"><span class="monogram" aria-hidden="true">${[...frame.merchant][0]}</span><span dir="auto">${frame.merchant}</span></p>
${navigation(section)}
${signedIn(frame)}
</header>
<main id="main">
${above && html`<p class="above"><a href="${above.href}">← ${above.label}</a></p>`}
<div class="headline"><h1 dir="auto">${title}</h1>${actions && html`<div class="actions">${actions}</div>`}</div>
${doneNote(frame.done)}
${main}
</main>
</div>`;
  return documentOf(`${title} · ${frame.merchant}`, body);
}

const doneNote = (done: string | undefined): Html => {
  const text = done !== undefined && Object.hasOwn(doneTexts, done) ? doneTexts[done] : undefined;
  return text ? html`<p class="note done" role="status">${text}</p>` : html``;
};

const navigation = (current: SectionPath): Html => html`<nav aria-label="Dashboard"><ul>
${sections.map(
  ({ path, label }) => html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${label}</a></li>
`,
)}</ul></nav>`;

/** What a key cannot do; empty for an admin key. */
function reach(viewer: FrameViewer): string {
  if (may({ viewer }, 'admin')) return '';
  if (may({ viewer }, 'write')) return ', which can write, but cannot manage keys, webhooks and tax';
  return may({ viewer }, 'refunds') ? ', which can read and refund' : ', which can only read';
}

const signedIn = ({ viewer }: Frame): Html => html`<form class="session" method="post" action="/dashboard/sign-out">
<p class="hint">Signed in with <strong dir="auto">${viewer.keyName}</strong>${reach(viewer)}</p>
<input type="hidden" name="token" value="${viewer.formToken}">
<button class="plain">Sign out</button>
</form>`;

/** An HTML document of the dashboard. */
export const documentOf = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
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
