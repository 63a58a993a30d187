import type { MailOrder, MailParts, MailSection } from './mail-parts.ts';

/** The mail as plain text, from the same parts. It is for readers who prefer plain text, and for screen readers. */
export function mailText(parts: MailParts): string {
  const { lead, paragraphs = [], links, order, facts = [], reason, seller, after, last, sections = [] } = parts;
  const blocks = [
    lead,
    ...paragraphs,
    ...links.map(({ label, url }) => `${label}:\n${url}`),
    ...(order ? orderBlocks(order) : []),
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    reason ? `${reason.label}: ${reason.value}` : '',
    seller ? [`${seller.role}:`, seller.name, ...seller.lines].join('\n') : '',
    ...after,
    last ? `${[last.label, last.beside?.words].filter(Boolean).join(' · ')}:\n${last.url}` : '',
    ...sections.flatMap(sectionBlocks),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

const orderBlocks = ({ title, lines, totals }: MailOrder): string[] => [
  [
    `${title}:`,
    ...lines.map(({ name, details, amount }) =>
      ['- ', name, details.map((one) => ` (${one})`), ': ', amount].flat().join(''),
    ),
  ].join('\n'),
  totals.map(({ label, value }) => `${label}: ${value}`).join('\n'),
];

const sectionBlocks = ({ title, paragraphs, note }: MailSection): string[] => [
  `${title}\n${'-'.repeat([...title].length)}`,
  ...(note === undefined ? [] : [note]),
  ...paragraphs,
];
