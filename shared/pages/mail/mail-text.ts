import type { MailOrder, MailParts } from './mail-parts.ts';

/** The same parts as plain text, for readers who prefer it and for screen readers. */
export function mailText(parts: MailParts): string {
  const { lead, paragraphs = [], links, order, facts = [], reason, seller, after } = parts;
  const blocks = [
    lead,
    ...paragraphs,
    ...links.map(({ label, url }) => `${label}:\n${url}`),
    ...(order ? orderBlocks(order) : []),
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    reason ? `${reason.label}: ${reason.value}` : '',
    seller ? [`${seller.role}:`, seller.name, ...seller.lines].join('\n') : '',
    ...after,
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
