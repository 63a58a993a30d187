import PDFDocument from 'pdfkit';
import { type Line, type Style, setText, widthOf } from './typesetting.ts';

const margin = 48;
const footerHeight = 24;

const colors = { ink: '#16191d', quiet: '#5b636e', rule: '#d3d8de' } as const;

/** The style of a text. */
export interface Look extends Style {
  color: keyof typeof colors;
}

/** A text that is divided into lines, but not drawn yet. */
export interface Block {
  lines: readonly Line[];
  look: Look;
  height: number;
  width: number;
}

type Align = 'start' | 'end';

const leading = 1.42;
/** The smallest number of lines of a long text that may stay at the end of a page. */
const keptTogether = 3;
/** The position of the baseline in a line. It is the same for all fonts. */
const baseline = 1.05;

function setBlock(text: string, look: Look, width?: number): Block {
  const lines = setText(text, look, width);
  return { lines, look, height: Math.max(1, lines.length) * look.size * leading, width: widthOf(lines) };
}

/** The font for Chinese characters, by the language of the document. Their forms differ by country. */
const families: Readonly<Record<string, string>> = {
  zh: 'chocolate-classical-sans',
  'zh-TW': 'chocolate-classical-sans',
  ja: 'kosugi',
  ko: 'gowun-dodum',
};

interface SheetOptions {
  size: 'A4' | 'LETTER';
  locale: string;
  /** Whether the layout is mirrored, for languages that are read from right to left. */
  isMirrored: boolean;
  title: string;
  author: string;
  createdAt: Date;
}

/**
 * The pages of a PDF, with the vertical position where the next block is drawn. Everything is tagged, so that screen
 * readers can read it.
 */
export class Sheet {
  /** The vertical position of the next block, from the top of the page. */
  y = margin;
  private readonly document: PDFDocument;
  private readonly known = new Set<string>();
  private parent: PDFDocument.StructureElement;
  private readonly isMirrored: boolean;
  private readonly family: string | undefined;

  constructor({ size, locale: lang, isMirrored, title, author, createdAt }: SheetOptions) {
    this.isMirrored = isMirrored;
    this.family = families[lang];
    this.document = new PDFDocument({
      size,
      margin,
      font: null,
      lang,
      tagged: true,
      displayTitle: true,
      bufferPages: true,
      pdfVersion: '1.7',
      info: { Title: title, Author: author, Creator: 'Tillstack', CreationDate: createdAt, ModDate: createdAt },
    });
    this.parent = this.document.struct('Document');
    this.document.addStructure(this.parent);
  }

  get left(): number {
    return margin;
  }

  get width(): number {
    return this.document.page.width - 2 * margin;
  }

  /** The free height below the current position. */
  private get room(): number {
    return this.document.page.height - margin - footerHeight - this.y;
  }

  /** Divides a text into lines, in the document's language. */
  set(text: string, look: Look, width?: number): Block {
    return setBlock(text, { ...look, family: this.family }, width);
  }

  /** Divides a paragraph that has line breaks into lines. One paragraph takes less room in a file than many. */
  setLines(texts: readonly string[], look: Look): Block {
    const blocks = texts.map((text) => this.set(text, look, this.width));
    const lines = blocks.flatMap((block) => block.lines);
    const height = blocks.reduce((sum, block) => sum + block.height, 0);
    return { lines, look: { ...look, family: this.family }, height, width: widthOf(lines) };
  }

  /** Whether a block of this height fits below the current position. */
  hasRoomFor(height: number): boolean {
    return height <= this.room;
  }

  turnPage(): void {
    this.document.addPage();
    this.y = margin;
  }

  /** Runs a function, and tags everything that it draws as one element. */
  within(type: string, draw: () => void, title?: string): void {
    const outer = this.parent;
    this.parent = this.document.struct(type, title === undefined ? {} : { title });
    outer.add(this.parent);
    draw();
    this.parent.end();
    this.parent = outer;
  }

  /** Draws blocks one below the other as one element. The current position does not change. */
  draw(type: string, blocks: readonly Block[], place: { x: number; y: number; width: number; align?: Align }): void {
    const isHead = type === 'TH';
    this.parent.add(
      this.document.struct(type, isHead ? { scope: 'Column' } : {}, () => this.drawBlocks(blocks, place)),
    );
  }

  /**
   * Draws a block at the current position as one element, and moves the position below it. A block that does not fit
   * continues on the next page, between two lines.
   */
  flow(type: string, block: Block): void {
    const { lines, height } = block;
    const lineHeight = height / Math.max(1, lines.length);
    if (!this.hasRoomFor(Math.min(height, keptTogether * lineHeight))) this.turnPage();
    this.within(type, () => {
      for (let from = 0; from < lines.length; ) {
        if (!this.hasRoomFor(lineHeight)) this.turnPage();
        const part = lines.slice(from, from + Math.floor(this.room / lineHeight));
        this.draw('Span', [{ ...block, lines: part }], { x: this.left, y: this.y, width: this.width });
        this.y += part.length * lineHeight;
        from += part.length;
      }
    });
  }

  /** Draws a thin line, which screen readers skip. */
  rule(x = this.left, width = this.width): void {
    this.document.markContent('Artifact', { type: 'Layout' });
    this.document
      .strokeColor(colors.rule)
      .lineWidth(0.75)
      .moveTo(this.placed(x, width), this.y)
      .lineTo(this.placed(x, width) + width, this.y)
      .stroke();
    this.document.endMarkedContent();
  }

  /** Draws a bar in a brand's colour, which screen readers skip, and moves the position below it. */
  bar(color: string): void {
    this.document.markContent('Artifact', { type: 'Layout' });
    this.document.rect(this.left, this.y, this.width, 4).fill(color);
    this.document.endMarkedContent();
    this.y += 16;
  }

  /** Writes a footer on every page. `textOf` gives its text. */
  number(look: Look, textOf: (page: number, pages: number) => string): void {
    const { count } = this.document.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.document.switchToPage(index);
      this.document.markContent('Artifact', { type: 'Pagination' });
      const block = this.set(textOf(index + 1, count), look, this.width);
      const y = this.document.page.height - margin - block.height;
      this.drawBlocks([block], { x: this.left, y, width: this.width, align: 'end' });
      this.document.endMarkedContent();
    }
  }

  /** The left edge of a block, from its distance to the side where reading begins. */
  private placed(x: number, width: number): number {
    return this.isMirrored ? this.document.page.width - x - width : x;
  }

  async finish(): Promise<Buffer> {
    this.parent.end();
    this.document.end();
    const chunks: Buffer[] = [];
    for await (const chunk of this.document) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  private drawBlocks(
    blocks: readonly Block[],
    { x, y, width, align = 'start' }: { x: number; y: number; width: number; align?: Align },
  ): void {
    let top = y;
    const left = this.placed(x, width);
    const isLeft = (align === 'start') !== this.isMirrored;
    for (const { lines, look } of blocks) {
      for (const line of lines) {
        this.drawLine(line, look, isLeft ? left : left + width - line.width, top + look.size * baseline);
        top += look.size * leading;
      }
    }
  }

  private drawLine({ runs }: Line, { size, color }: Look, x: number, y: number): void {
    let left = x;
    for (const { face, text, width } of runs) {
      if (!this.known.has(face.key)) this.document.registerFont(face.key, face.font);
      this.known.add(face.key);
      const options = { lineBreak: false, baseline: 'alphabetic', features: [], textWidth: width } as const;
      this.document.fillColor(colors[color]).font(face.key, size).text(text, left, y, options);
      left += width;
    }
  }
}
