import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { operationsOf, resources } from './contract.ts';
import { type DocPage, docAddress, docDocument } from './layout.ts';
import { anchorOf, markdownHtml } from './markdown.ts';
import { resourceMarkdown, slugOf } from './resource-page.ts';

const docs = new URL('../../docs/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, docs), 'utf8');

/** A document of `docs/` as a page. */
interface Source extends DocPage {
  /** The path of the page’s Markdown file in `docs/`. */
  file: string;
  markdown: string;
}

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';

const document = (section: string, slug: string, file: string): Source => {
  const markdown = read(file);
  return { slug, section, file, title: titleOf(markdown), markdown };
};

const guideNames = [
  'start',
  'verify-webhooks',
  'test-without-a-browser',
  'discount-codes',
  'idempotency',
  'paging',
  'errors',
  'migrate-from-dodo-payments',
  'adapters',
  'move-a-shop',
  'go-live',
];

const merchantNames = [
  'merchants',
  'selling',
  'delivering',
  'refunds-and-disputes',
  'tax-and-invoices',
  'live-payments',
];

/** Removes the parts that are only for developers: the table of functions, and the diagram of the table's rows. */
const withoutEndpoints = (markdown: string): string =>
  markdown
    .replace(
      /<!-- endpoints -->[\s\S]*?<!-- \/endpoints -->/,
      '[The first page](index.md#every-operation) lists them all.',
    )
    .replace(/## Entities\n[\s\S]*$/, '');

/** The reference as Markdown, by file. These files are committed in `docs/reference/`. */
export const referenceFiles = (): Record<string, string> =>
  Object.fromEntries(
    resources.map((resource) => [`reference/${slugOf(resource.name)}.md`, resourceMarkdown(resource)]),
  );

const reference = (): Source[] =>
  Object.entries(referenceFiles()).map(([file, markdown]) => ({
    slug: file.replace(/^reference\/|\.md$/g, ''),
    section: 'Reference',
    file,
    title: titleOf(markdown),
    markdown,
  }));

const operationLines = (): string =>
  resources
    .flatMap(({ name }) => operationsOf(name).map((operation) => ({ name, operation })))
    .map(
      ({ name, operation: { method, path, summary } }) =>
        `| \`${method}\` | \`${path}\` | [${summary}](reference/${slugOf(name)}.md#${anchorOf(summary)}) |`,
    )
    .join('\n');

const indexMarkdown = (guides: readonly Source[], merchants: readonly Source[]): string => `# Tillstack documentation

Products, checkout, payments, refunds and signed webhooks, with tax. The API speaks the dialect of Dodo Payments, so the official \`dodopayments\` SDKs work when you set their base URL.

## Guides

${guides.map(({ title, file }) => `- [${title}](${file})`).join('\n')}

## With the dashboard

${merchants.map(({ title, file }) => `- [${title}](${file})`).join('\n')}

## Every operation

The same as [OpenAPI 3.1](/openapi.json), for generators.

| method | path | what it does |
|---|---|---|
${operationLines()}
`;

function sources(): Source[] {
  const guides = guideNames.map((name) => document('Guides', name, `guides/${name}.md`));
  const merchants = merchantNames.map((name) => document('With the dashboard', name, `${name}.md`));
  const integrators = document('More', 'integrators', 'integrators.md');
  const more = [
    { ...integrators, markdown: withoutEndpoints(integrators.markdown) },
    document('More', 'dialect', 'dialect.md'),
    document('More', 'command-line', 'command-line.md'),
  ];
  const index = {
    slug: 'index',
    section: '',
    file: 'index.md',
    title: 'Documentation',
    markdown: indexMarkdown(guides, merchants),
  };
  return [index, ...guides, ...merchants, ...reference(), ...more];
}

/**
 * The address for a link in a document. It leads to another page, to the same page, or to another site. Undefined for a
 * file of the repository.
 */
function linkFrom(file: string, all: readonly Source[]): (href: string) => string | undefined {
  return (href) => {
    if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
    const { pathname, hash } = new URL(href, `http://docs/${file}`);
    const found = all.find((source) => `/${source.file}` === pathname);
    return found && `${docAddress(found.slug)}${hash}`;
  };
}

const styles = (): string =>
  transformSync(readFileSync(new URL('docs.css', import.meta.url), 'utf8'), {
    loader: 'css',
    minify: true,
  }).code.trim();

/** Stands for the styles while the page is made, because the page kit escapes every text. */
const stylesSlot = '/* styles */';

/** Every page as a whole HTML document. */
export function sitePages(): Record<string, string> {
  const all = sources();
  const text = styles();
  return Object.fromEntries(
    all.map((source) => {
      const main = markdownHtml(source.markdown, linkFrom(source.file, all));
      return [source.slug, docDocument(stylesSlot, all, source, main).replace(stylesSlot, () => text)];
    }),
  );
}

/** The address of the sandbox in the examples. The function puts the stack's own address in its place. */
const local = 'http://localhost:4000';

const markdownLink = /\[([^\]]*)\]\(([^)\s]+)\)/g;

/** The document with links that work outside the repository: to the other documents as Markdown, with their host. */
function linkedMarkdown({ file, markdown }: Source, all: readonly Source[]): string {
  const address = linkFrom(file, all);
  const linked = (text: string): string =>
    text.replace(markdownLink, (_, words: string, href: string) => {
      const found = address(href);
      if (found === undefined) return words;
      const asMarkdown = found.replace(/^\/docs(?:\/([^#]*))?(?=#|$)/, (_, slug = 'index') => markdownAddress(slug));
      return `[${words}](${asMarkdown})`;
    });
  const withoutNotes = markdown.replace(/<!--[\s\S]*?-->\n?/g, '');
  return withoutNotes
    .split(/(^```[\s\S]*?^```)/m)
    .map((part, index) => (index % 2 === 0 ? linked(part) : part))
    .join('');
}

const markdownAddress = (slug: string): string => `${local}/docs/${slug}.md`;

/** The first sentence of a document, without links. */
function firstSentence(markdown: string): string {
  const words = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/^#.*$/gm, '');
  const paragraph = /^(?![|<\-!])\S[\s\S]*?(?=\n\n|$)/m.exec(words)?.[0] ?? '';
  const plain = paragraph.replace(markdownLink, '$1').replace(/\s+/g, ' ');
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

/** The list of all documents for programs, by the convention of llmstxt.org. */
function llmsText(all: readonly Source[]): string {
  const line = ({ slug, title, markdown }: Source): string =>
    `- [${title}](${markdownAddress(slug)}): ${firstSentence(markdown)}`;
  const sections = [...Map.groupBy(all.slice(1), ({ section }) => section)];
  const lists = sections.map(([section, pages]) => `## ${section}\n\n${pages.map(line).join('\n')}\n`);
  return `# Tillstack

> Products, checkout, payments, refunds and signed webhooks, with tax. The API speaks the dialect of Dodo Payments, so the official dodopayments SDKs work when you set their base URL.

The whole API as OpenAPI 3.1: ${local}/openapi.json. Every page below /docs is also Markdown, under its address with \`.md\`.

${lists.join('\n')}`;
}

/** Every page as Markdown, by the name of its file, and the list of them for programs. */
export function siteTexts(): Record<string, string> {
  const all = sources();
  const pages = all.map((source) => [`${source.slug}.md`, linkedMarkdown(source, all)] as const);
  return { ...Object.fromEntries(pages), 'llms.txt': llmsText(all) };
}

/**
 * The data for the function of `/docs`: the compressed pages, the same as Markdown under their names with `.md`, and the
 * hash of the pages' style.
 */
export function builtSite(): { stylesHash: string; deflatedPages: Record<string, string> } {
  const deflated = (text: string): string => deflateRawSync(text, { level: 9 }).toString('base64');
  const pages = Object.entries({ ...sitePages(), ...siteTexts() }).map(([name, text]) => [name, deflated(text)]);
  const hash = createHash('sha256').update(styles()).digest('base64');
  return { stylesHash: `'sha256-${hash}'`, deflatedPages: Object.fromEntries(pages) };
}
