import { lexer, type Token, type Tokens } from 'marked';
import { type Html, html } from '../../shared/pages/html.ts';

/** The address on the pages for a link in a document. Undefined if the pages do not contain the target. */
export type LinkTo = (href: string) => string | undefined;

/** The anchor of a heading, in the form that GitHub uses. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s.-]/g, '')
    .replaceAll('.', '')
    .trim()
    .replaceAll(' ', '-');

/** The text with its entities decoded, because the page kit escapes it again. */
const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Turns Markdown into HTML with the page kit, which escapes every text. */
export function markdownHtml(text: string, linkTo: LinkTo): Html {
  return blocks(lexer(text), linkTo);
}

const blocks = (tokens: readonly Token[], linkTo: LinkTo): Html => html`${tokens.map((token) => block(token, linkTo))}`;

function block(token: Token, linkTo: LinkTo): Html {
  switch (token.type) {
    case 'heading':
      return heading(token as Tokens.Heading, linkTo);
    case 'paragraph':
      return html`<p>${inlines(token, linkTo)}</p>
`;
    case 'code':
      return token['lang'] === 'mermaid'
        ? html``
        : html`<pre tabindex="0"><code>${token['text'] as string}</code></pre>
`;
    case 'list':
      return list(token as Tokens.List, linkTo);
    case 'table':
      return table(token as Tokens.Table, linkTo);
    case 'text':
      return html`${inlines(token, linkTo)}`;
    default:
      return html``;
  }
}

function heading({ depth, text, tokens }: Tokens.Heading, linkTo: LinkTo): Html {
  const [id, inner] = [anchorOf(text), tokens.map((token) => inline(token, linkTo))];
  if (depth === 1)
    return html`<h1>${inner}</h1>
`;
  return depth === 2
    ? html`<h2 id="${id}">${inner}</h2>
`
    : html`<h3 id="${id}">${inner}</h3>
`;
}

function list({ ordered, items, start }: Tokens.List, linkTo: LinkTo): Html {
  const entries = items.map(
    (item) => html`<li>${blocks(item.tokens, linkTo)}</li>
`,
  );
  return ordered
    ? html`<ol start="${String(start || 1)}">
${entries}</ol>
`
    : html`<ul>
${entries}</ul>
`;
}

function table({ header, rows }: Tokens.Table, linkTo: LinkTo): Html {
  const cells = (found: readonly Tokens.TableCell[]) =>
    found.map(({ tokens }) => html`<td>${tokens.map((token) => inline(token, linkTo))}</td>`);
  return html`<div class="wide" tabindex="0"><table>
<thead><tr>${header.map(({ tokens }) => html`<th scope="col">${tokens.map((token) => inline(token, linkTo))}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>${cells(row)}</tr>
`,
)}</tbody></table></div>
`;
}

const inlines = (token: Token, linkTo: LinkTo): Html[] | string =>
  'tokens' in token && token.tokens
    ? token.tokens.map((inner) => inline(inner, linkTo))
    : plain((token as Tokens.Text).text);

function inline(token: Token, linkTo: LinkTo): Html {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inlines(token, linkTo)}</strong>`;
    case 'em':
      return html`<em>${inlines(token, linkTo)}</em>`;
    case 'codespan':
      return html`<code>${plain((token as Tokens.Codespan).text)}</code>`;
    case 'br':
      return html`<br>`;
    case 'link':
      return link(token as Tokens.Link, linkTo);
    default:
      return html`${inlines(token, linkTo)}`;
  }
}

/** A link. If its target is not on the pages, only its text is shown. */
function link(token: Tokens.Link, linkTo: LinkTo): Html {
  const address = linkTo(token.href);
  return address === undefined
    ? html`${inlines(token, linkTo)}`
    : html`<a href="${address}">${inlines(token, linkTo)}</a>`;
}
