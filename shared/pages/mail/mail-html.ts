import { isRightToLeft } from '../../texts/texts.ts';
import { languageAttributes } from '../direction.ts';
import { type Html, html } from '../html.ts';
import { inkOn } from '../ink.ts';
import type { Locale } from '../locale.ts';
import type { MailLine, MailLink, MailOrder, MailParts, MailSection } from './mail-parts.ts';

/** The colour of mails for brands that have no colour. */
const ownColor = '#0b5c58';

/** Dark colours, for mail programs that read styles in the head. Other programs choose their own dark colours. */
const darkStyles =
  ':root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){.g{background:#131517!important}.p{background:#1c1f22!important;color:#eceeef!important}.s{color:#a9afb5!important}.l{border-color:#33383d!important}.a{color:#5cc5bd!important}}';

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif";

/**
 * The mail as HTML for all mail programs. It has inline styles, no tables and no scripts. It loads only the brand's
 * logo, and the brand's name is beside that.
 */
export function mailHtml(parts: MailParts): string {
  const { locale, subject, brand, preview, lead, paragraphs = [], links, after, sections = [] } = parts;
  const color = /^#[0-9a-f]{6}$/i.test(brand.color ?? '') ? (brand.color ?? ownColor) : ownColor;
  const [first, ...others] = links;
  return html`<!doctype html>
<html${languageAttributes(locale)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${darkStyles}</style>
</head>
<body class="g" style="margin:0;padding:0;background:#f4f4f1">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<div${languageAttributes(locale)} class="g" style="padding:16px 8px;background:#f4f4f1;${font};font-size:16px;line-height:1.5;overflow-wrap:break-word;word-break:break-word">
<main>
<div class="p" style="max-width:552px;margin:0 auto;padding:20px;background:#ffffff;color:#1a1c1e;border-top:4px solid ${color};border-radius:8px">
${header(parts)}
<h1 style="margin:0 0 16px;font-size:18px;line-height:1.5;font-weight:500;white-space:pre-line">${lead}</h1>
${paragraphs.map((text) => paragraph(text))}${first && button(first, color)}
${others.map(link)}${order(parts)}${facts(parts)}${reason(parts)}${seller(parts)}${after.map((text) => note(text))}${last(parts)}${sections.map((one) => section(one, locale))}</div>
</main>
</div>
</body>
</html>
`.text;
}

const isPicture = /^https:\/\/|^http:\/\/(?:localhost|127\.0\.0\.1)[:/]/;

/** The header. The logo has a white background, so that a dark logo is visible on a dark screen. */
function header({ brand: { name, logo } }: MailParts): Html {
  const picture =
    logo !== undefined &&
    isPicture.test(logo) &&
    html`<img src="${logo}" alt="" height="32" style="height:32px;width:auto;max-width:160px;vertical-align:middle;background:#ffffff;border-radius:4px"> `;
  return html`<p style="margin:0 0 20px;font-weight:600">${picture}${name}</p>`;
}

const paragraph = (text: string): Html => html`<p style="margin:0 0 16px;white-space:pre-line">${text}</p>
`;

/** A button. Its border has the colour of its text, so it is visible on a background of its own colour. */
function button({ label, url }: MailLink, color: string): Html {
  const ink = inkOn(color);
  return html`<p style="margin:0 0 12px"><a href="${url}" style="display:inline-block;padding:11px 18px;background:${color};color:${ink};border:1px solid ${ink};border-radius:8px;font-weight:600;text-decoration:none">${label}</a></p>`;
}

const link = ({ label, url }: MailLink): Html =>
  html`<p style="margin:0 0 8px"><a href="${url}" class="a" style="color:${ownColor}">${label}</a></p>
`;

const title = (text: string): Html =>
  html`<h2 class="s" style="margin:24px 0 8px;font-size:14px;font-weight:600;color:#585d63">${text}</h2>
`;

const border = 'border-top:1px solid #d8dadd';
const row = `overflow:hidden;padding:8px 0;${border}`;
const wording = 'display:inline-block;max-width:62%';
/** The style of an amount. If the line is too narrow, the whole amount moves below the text. */
const figure = (locale: Locale): string =>
  `float:${isRightToLeft(locale) ? 'left' : 'right'};margin:0;white-space:nowrap`;

function order(parts: MailParts): Html {
  const { order: sold, locale } = parts;
  if (!sold) return html``;
  return html`${title(sold.title)}<dl style="margin:0">
${sold.lines.map((line) => orderLine(line, locale))}${sold.totals.map((total) => totalRow(total, locale))}</dl>
`;
}

/** A line of the order. In a mail program that ignores styles, the name is above the amount. */
const orderLine = ({ name, details, amount }: MailLine, locale: Locale): Html =>
  html`<div class="l" style="${row}"><dt style="${wording}">${name}${details.map((detail) => html`<br><span class="s" style="font-size:14px;color:#585d63">${detail}</span>`)}</dt><dd style="${figure(locale)}">${amount}</dd></div>
`;

const totalRow = ({ label, value, isTotal }: MailOrder['totals'][number], locale: Locale): Html =>
  html`<div class="l" style="${row};${isTotal && 'font-size:18px;font-weight:600'}"><dt style="${wording}">${label}</dt><dd style="${figure(locale)}">${value}</dd></div>
`;

function facts({ facts: known = [] }: MailParts): Html {
  if (known.length === 0) return html``;
  const rows = known.map(
    ({ label, value }) =>
      html`<div><dt class="s" style="display:inline;color:#585d63">${label}:</dt> <dd style="display:inline;margin:0">${value}</dd></div>
`,
  );
  return html`<dl class="l" style="margin:16px 0 0;padding-top:12px;${border};font-size:14px">
${rows}</dl>
`;
}

const reason = ({ reason: reasonPart }: MailParts): Html =>
  reasonPart ? html`${title(reasonPart.label)}<p style="margin:0">${reasonPart.value}</p>` : html``;

function seller({ seller: party }: MailParts): Html {
  if (!party) return html``;
  return html`${title(party.role)}<p style="margin:0;font-size:14px">${party.name}${party.lines.map((line) => html`<br>${line}`)}</p>
`;
}

const note = (
  text: string,
): Html => html`<p class="s" style="margin:16px 0 0;font-size:14px;color:#585d63;white-space:pre-line">${text}</p>
`;

function last({ last: end }: MailParts): Html {
  if (!end) return html``;
  const { label, url, beside } = end;
  return html`<p style="margin:16px 0 0"><a href="${url}" class="a" style="color:${ownColor}">${label}${beside && html` <bdi${languageAttributes(beside.language)}>${beside.words}</bdi>`}</a></p>
`;
}

/** A long text. If its language differs from that of the mail, it is marked. */
const section = ({ title: words, paragraphs, language, note: about }: MailSection, locale: Locale): Html => {
  const own = language !== undefined && language !== locale && foreign(language);
  return html`${title(words)}${about !== undefined && html`<p class="s" style="margin:0 0 8px;font-size:14px;color:#585d63">${about}</p>`}<div${own} style="font-size:14px">${paragraphs.map(
    (text) => html`<p style="margin:0 0 8px;white-space:pre-line">${text}</p>
`,
  )}</div>
`;
};

const foreign = (language: string): Html =>
  html`${languageAttributes(language)}${!isRightToLeft(language) && html` dir="ltr"`}`;
