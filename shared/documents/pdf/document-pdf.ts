import type { MailSection } from '../../pages/mail/mail-parts.ts';
import { isRightToLeft } from '../../texts/texts.ts';
import type { LabelledValue } from '../document-tables.ts';
import type { DocumentView } from '../document-view.ts';
import { freshFaces } from './font-faces.ts';
import { type Block, type Look, Sheet } from './sheet.ts';
import { drawTable, heightOfTable } from './table.ts';

const looks = {
  brand: { size: 11, weight: 700, color: 'ink' },
  title: { size: 22, weight: 700, color: 'ink' },
  label: { size: 8, weight: 700, color: 'quiet' },
  name: { size: 9.5, weight: 700, color: 'ink' },
  text: { size: 9, weight: 400, color: 'ink' },
  factLabel: { size: 8.5, weight: 400, color: 'quiet' },
  fact: { size: 8.5, weight: 400, color: 'ink' },
  total: { size: 11, weight: 700, color: 'ink' },
  footer: { size: 8, weight: 400, color: 'quiet' },
} as const satisfies Record<string, Look>;

const gap = 20;

/** A document as a PDF: tagged, with embedded fonts, and with the same bytes each time it is made. */
export function renderPdf(view: DocumentView): Promise<Buffer> {
  freshFaces();
  const title = `${view.kind} ${view.number}`;
  const sheet = new Sheet({
    size: view.paper,
    locale: view.locale,
    isMirrored: isRightToLeft(view.locale),
    title,
    author: view.seller.name,
    createdAt: new Date(view.issuedAt),
  });
  drawHead(sheet, view);
  drawParties(sheet, view);
  drawTable(sheet, view.lines, { x: sheet.left, width: sheet.width });
  sheet.y += gap;
  drawFigures(sheet, view);
  if (view.reason) drawReason(sheet, view.reason);
  for (const note of view.notes) drawParagraph(sheet, note, looks.text);
  for (const section of view.sections ?? []) drawSection(sheet, section);
  sheet.number(looks.footer, (page, pages) => `${view.number} · ${numbered(view.pageNumbering, page, pages)}`);
  return sheet.finish();
}

const numbered = (pattern: string, page: number, pages: number): string =>
  pattern.replace('{page}', String(page)).replace('{pages}', String(pages));

function drawParagraph(sheet: Sheet, text: string, look: Look, type = 'P'): void {
  sheet.flow(type, sheet.set(text, look, sheet.width));
  sheet.y += 4;
}

/** The height that the label and the first lines need. They must be on the same page. */
const leastOfReason = 60;

/** Draws the reason of a refund, which can be longer than a page. */
function drawReason(sheet: Sheet, { label, value }: LabelledValue): void {
  if (!sheet.hasRoomFor(leastOfReason)) sheet.turnPage();
  drawParagraph(sheet, label, looks.label);
  drawParagraph(sheet, value, looks.text);
  sheet.y += gap / 2;
}

/** Draws a long text. Its title and first lines are on the same page. */
function drawSection(sheet: Sheet, { title, note, paragraphs }: MailSection): void {
  sheet.y += gap / 2;
  if (!sheet.hasRoomFor(leastOfReason)) sheet.turnPage();
  drawParagraph(sheet, title, looks.name, 'H2');
  if (note !== undefined) drawParagraph(sheet, note, looks.footer);
  for (const text of paragraphs) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0) continue;
    sheet.flow('P', sheet.setLines(lines, looks.text));
    sheet.y += 4;
  }
}

function drawHead(sheet: Sheet, { brandName, brand, kind }: DocumentView): void {
  if (brand.color) sheet.bar(brand.color);
  drawParagraph(sheet, brandName, looks.brand);
  for (const line of [brand.email, brand.url]) if (line) drawParagraph(sheet, line, looks.footer);
  sheet.y += gap;
  drawParagraph(sheet, kind, looks.title, 'H1');
  sheet.y += 8;
}

/** Draws the seller, the buyer and the facts side by side. */
function drawParties(sheet: Sheet, { seller, buyer, facts }: DocumentView): void {
  const partyWidth = (sheet.width - 2 * gap) * 0.25;
  const parties = [seller, buyer].map(({ role, name, lines }) => [
    sheet.set(role, looks.label, partyWidth),
    sheet.set(name, looks.name, partyWidth),
    ...lines.map((line) => sheet.set(line, looks.text, partyWidth)),
  ]);
  for (const [index, blocks] of parties.entries())
    sheet.draw('P', blocks, { x: sheet.left + index * (partyWidth + gap), y: sheet.y, width: partyWidth });
  const top = sheet.y;
  drawFacts(sheet, facts, sheet.left + 2 * (partyWidth + gap));
  sheet.y = Math.max(sheet.y, ...parties.map((blocks) => top + heightOf(blocks))) + gap;
}

const heightOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { height }) => sum + height, 0);

const factLabelWidth = 92;

function drawFacts(sheet: Sheet, facts: readonly LabelledValue[], x: number): void {
  const width = sheet.left + sheet.width - x - factLabelWidth - 8;
  for (const { label, value } of facts) {
    const [name, text] = [sheet.set(label, looks.factLabel, factLabelWidth), sheet.set(value, looks.fact, width)];
    sheet.draw('P', [name], { x, y: sheet.y, width: factLabelWidth });
    sheet.draw('P', [text], { x: x + factLabelWidth + 8, y: sheet.y, width });
    sheet.y += Math.max(name.height, text.height);
  }
}

/** Draws the rates on the left and the totals on the right, on one page. */
function drawFigures(sheet: Sheet, { taxes, totals }: DocumentView): void {
  const taxesWidth = sheet.width * 0.54;
  const height = Math.max(taxes ? heightOfTable(sheet, taxes, taxesWidth) : 0, totals.length * 20);
  if (!sheet.hasRoomFor(height)) sheet.turnPage();
  const top = sheet.y;
  if (taxes) drawTable(sheet, taxes, { x: sheet.left, width: taxesWidth });
  const bottom = sheet.y;
  sheet.y = top;
  drawTotals(sheet, totals, sheet.left + taxesWidth + gap * 1.5);
  sheet.y = Math.max(sheet.y, bottom) + gap;
}

function drawTotals(sheet: Sheet, totals: DocumentView['totals'], x: number): void {
  const width = sheet.left + sheet.width - x;
  for (const { label, value, isTotal } of totals) {
    const look = isTotal ? looks.total : looks.text;
    const amount = sheet.set(value, look);
    const name = sheet.set(label, look, width - amount.width - 8);
    sheet.draw('P', [name], { x, y: sheet.y + 3, width });
    sheet.draw('P', [amount], { x, y: sheet.y + 3, width, align: 'end' });
    sheet.y += Math.max(name.height, amount.height) + 6;
  }
}
