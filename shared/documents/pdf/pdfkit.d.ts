/** Types for the part of pdfkit that we use. The package has none. */
declare module 'pdfkit' {
  interface StructureElement {
    add(child: StructureElement): this;
    end(): void;
  }

  interface Options {
    size: 'A4' | 'LETTER';
    margin: number;
    font: null;
    lang: string;
    tagged: true;
    displayTitle: true;
    bufferPages: true;
    pdfVersion: '1.7';
    info: Record<string, string | Date>;
  }

  interface TextOptions {
    lineBreak: false;
    baseline: 'alphabetic';
    features: readonly string[];
    textWidth: number;
  }

  class PDFDocument {
    constructor(options: Options);
    readonly page: { width: number; height: number };
    registerFont(name: string, font: object): this;
    font(name: string, points: number): this;
    text(text: string, x: number, y: number, options: TextOptions): this;
    fillColor(color: string): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(color: string): this;
    strokeColor(color: string): this;
    lineWidth(points: number): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    stroke(): this;
    addPage(): this;
    switchToPage(index: number): this;
    bufferedPageRange(): { start: number; count: number };
    struct(type: string, options?: { title?: string; scope?: 'Column' }, draw?: () => void): StructureElement;
    addStructure(element: StructureElement): this;
    markContent(tag: 'Artifact', options?: { type: 'Pagination' | 'Layout' }): this;
    endMarkedContent(): this;
    end(): void;
    [Symbol.asyncIterator](): AsyncIterableIterator<Buffer>;
  }

  namespace PDFDocument {
    export type { StructureElement };
  }

  export = PDFDocument;
}
