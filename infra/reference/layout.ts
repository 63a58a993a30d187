import { type Html, html } from '../../shared/pages/html.ts';

/** A page of the documentation. */
export interface DocPage {
  slug: string;
  title: string;
  section: string;
}

export const docAddress = (slug: string): string => (slug === 'index' ? '/docs' : `/docs/${slug}`);

const navigation = (pages: readonly DocPage[], open: string): Html => {
  const sections = [...new Set(pages.map(({ section }) => section))].filter((section) => section !== '');
  const entry = ({ slug, title }: DocPage) =>
    html`<li><a href="${docAddress(slug)}"${slug === open && html` aria-current="page"`}>${title}</a></li>
`;
  return html`<nav id="pages" aria-label="Documentation">
${sections.map(
  (section) => html`<h2>${section}</h2>
<ul>
${pages.filter((page) => page.section === section).map(entry)}</ul>
`,
)}</nav>`;
};

/** The HTML document around a page. It has no script. The content policy allows its one style by the hash. */
export const docDocument = (styles: string, pages: readonly DocPage[], { slug, title }: DocPage, main: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tillstack</title>
<style>${styles}</style>
</head>
<body>
<div class="house">
<header><a href="/docs">Tillstack documentation</a> <a class="menu" href="#pages">All pages</a></header>
<main>
${main}</main>
${navigation(pages, slug)}</div>
</body>
</html>
`.text;
