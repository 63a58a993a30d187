import { spawnSync } from 'node:child_process';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it, vi } from 'vitest';
import { type DocumentView, documentView } from '../../shared/documents/document-view.ts';
import { renderPdf } from '../../shared/documents/pdf/document-pdf.ts';
import { setText, widthOf } from '../../shared/documents/pdf/typesetting.ts';
import { unpackWoff } from '../../shared/documents/pdf/woff.ts';
import { xssPayloads } from '../pages/xss-payloads.ts';
import { microsecondsOf } from '../support/cpu.ts';
import { creditNoteOf, invoiceOf, sale } from './builders.ts';
import { hostileName, specimens } from './specimens.ts';

const viewOf = ({ document, locale }: (typeof specimens)[number]): DocumentView =>
  documentView(document, { locale, isSandbox: false });

const pdfs = new Map<string, Promise<Buffer>>();

/** The PDF of a specimen, which is drawn once for all tests that only read it. */
function pdfOf(specimen: (typeof specimens)[number]): Promise<Buffer> {
  const pdf = pdfs.get(specimen.name) ?? renderPdf(viewOf(specimen));
  pdfs.set(specimen.name, pdf);
  return pdf;
}
const named = (name: string): (typeof specimens)[number] => specimens.find((one) => one.name === name)!;

/** Letters, digits and signs: spaces and line breaks lie where the layout put them. */
const dense = (text: string): string => text.normalize('NFKC').replace(/[\s\u00A0]+/g, '');

async function textOf(pdf: Buffer): Promise<string> {
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: true });
  return dense(text);
}

const footTop = 72;

/** The text of each page above its foot and in it; what lies off the paper is in neither. */
async function pagesOf(pdf: Buffer): Promise<{ above: string; foot: string }[]> {
  const proxy = await getDocumentProxy(new Uint8Array(pdf));
  const numbers = Array.from({ length: proxy.numPages }, (_, index) => index + 1);
  return Promise.all(
    numbers.map(async (number) => {
      const { items } = await (await proxy.getPage(number)).getTextContent();
      const drawn = items.flatMap((item) =>
        'str' in item ? [{ text: item.str, y: item.transform[5] as number }] : [],
      );
      const textWhere = (isThere: (y: number) => boolean) =>
        dense(
          drawn
            .filter(({ y }) => isThere(y))
            .map(({ text }) => text)
            .join(''),
        );
      return { above: textWhere((y) => y > footTop), foot: textWhere((y) => y > 0 && y <= footTop) };
    }),
  );
}

/** Everything that a view has to say, apart from what is read from the right. */
const textsOf = ({ facts, lines, taxes, totals, reason, notes, number, buyer, seller }: DocumentView): string[] => [
  number,
  buyer.name,
  seller.name,
  ...[lines, ...(taxes ? [taxes] : [])].flatMap(({ columns, rows }) => [
    ...columns.map(({ label }) => label),
    ...rows.flat(2).map(({ text }) => text),
  ]),
  ...[...facts, ...totals, ...(reason ? [reason] : [])].flatMap(({ label, value }) => [label, value]),
  ...notes,
];

const isTurned = (text: string): boolean => /[\p{Script=Arabic}\p{Script=Hebrew}\u200F]/u.test(text);
/** Signs that readers of PDFs put together in ways of their own. */
const isComposed = (text: string): boolean =>
  /\p{Extended_Pictographic}|\p{Script=Devanagari}|\p{Script=Thai}|\p{Script=Tamil}/u.test(text);

describe('a PDF', () => {
  it.each(specimens)('shows the number, the names, the lines, every tax and the total: $name', async (specimen) => {
    const view = viewOf(specimen);
    const text = await textOf(await pdfOf(specimen));
    for (const part of textsOf(view).filter((one) => !isTurned(one) && !isComposed(one)))
      expect(text).toContain(dense(part));
    for (const part of textsOf(view).filter(isTurned))
      for (const figure of part.match(/\d[\d.,]*\d/g) ?? []) expect(text).toContain(figure);
  });

  it.each(['ar', 'he'] as const)('in %s starts at the right, with the amounts at the left', async (locale) => {
    const pdf = await pdfOf(named(`two-rates-${locale}`));
    const { items } = await (await (await getDocumentProxy(new Uint8Array(pdf))).getPage(1)).getTextContent();
    const leftOf = (part: string) =>
      items.flatMap((item) => ('str' in item && item.str.includes(part) ? [item.transform[4] as number] : [])).at(-1) ??
      Number.NaN;
    const middle = 595 / 2;
    expect(leftOf('Field Guide')).toBeGreaterThan(middle);
    expect(leftOf('49.99')).toBeLessThan(middle);
  });

  it('keeps even the widest amounts on one line, and breaks the label beside them instead', async () => {
    const pdf = await pdfOf(named('huge-rupiah'));
    const { items } = await (await (await getDocumentProxy(new Uint8Array(pdf))).getPage(1)).getTextContent();
    const drawn = items.flatMap((item) => ('str' in item ? [dense(item.str)] : []));
    expect(drawn.filter((text) => text.endsWith('IDR')).length).toBeGreaterThan(7); // three totals, two of the rate, four of the line
    expect(drawn.filter((text) => ['DR', 'R'].includes(text))).toEqual([]);
  });

  it('has the same bytes each time that it is made', async () => {
    const [specimen] = specimens as [(typeof specimens)[number]];
    const [once, again] = [await renderPdf(viewOf(specimen)), await renderPdf(viewOf(specimen))];
    expect(once.equals(again)).toBe(true);
  });

  it('states its title and language, and is tagged for screen readers', async () => {
    const [specimen] = specimens as [(typeof specimens)[number]];
    const proxy = await getDocumentProxy(new Uint8Array(await pdfOf(specimen)));
    const { info } = await proxy.getMetadata();
    expect(info).toMatchObject({ Title: 'Rechnung INV-2026-000042', Author: 'Example Books', Language: 'de' });
    expect(await proxy.getMarkInfo()).toMatchObject({ Marked: true });
    const structure = JSON.stringify(await (await proxy.getPage(1)).getStructTree());
    for (const role of ['H1', 'Table', 'TR', 'TH', 'TD', 'P']) expect(structure).toContain(`"role":"${role}"`);
  });

  it('of 20 lines continues on a second page with the same column heads, and numbers its pages', async () => {
    const { totalPages, text } = await extractText(new Uint8Array(await pdfOf(named('twenty-lines-long-names'))));
    expect(totalPages).toBe(2);
    for (const [index, page] of text.entries()) {
      expect(page).toContain(`Page ${index + 1} of 2`);
      expect(page).toContain('Unit price');
    }
    expect(text[1]).toContain('Lesson 20');
  });

  it.each([
    { script: 'Latin', text: 'The customer wrote that the download did not open on the reader. ' },
    { script: 'Japanese, without a space', text: '返品の理由は商品が説明と異なっていたためです。' },
    { script: 'one word', text: 'Donaudampfschifffahrtsgesellschaftskapitän' },
    { script: 'many lines', text: 'Agreed by phone.\n\n\n\tSee the letter of March.\n' },
  ])('shows a whole reason of 3,000 characters, and never over the foot of a page: $script', async ({ text }) => {
    const reason = text.repeat(3_000).slice(0, 3_000);
    const note = creditNoteOf(sale([{ unitAmount: 1_999 }]), { amount: 500, publicReason: reason });
    const pages = await pagesOf(await renderPdf(documentView(note, { locale: 'en', isSandbox: true })));
    const body = pages.map(({ above }) => above).join('');
    for (const part of [reason, note.paymentId, note.refundId ?? '', 'no money has moved'])
      expect(body).toContain(dense(part));
    for (const [index, { foot }] of pages.entries())
      expect(foot).toBe(dense(`${note.number} · Page ${index + 1} of ${pages.length}`));
  });

  it('draws markup in names as plain text', async () => {
    const text = await textOf(
      await renderPdf(
        documentView(invoiceOf(sale([{ name: hostileName, unitAmount: 100 }])), { locale: 'en', isSandbox: false }),
      ),
    );
    expect(text).toContain(dense(hostileName));
  });

  it('contains no action, script, link, form or file, even if a text looks like one', async () => {
    const names = xssPayloads
      .slice(0, 20)
      .map((name) => ({ name: `${name} /OpenAction /JS (app.alert(1)) >> endobj`, unitAmount: 100 }));
    const pdf = (await renderPdf(documentView(invoiceOf(sale(names)), { locale: 'en', isSandbox: false }))).toString(
      'latin1',
    );
    expect(pdf).not.toMatch(/\/(?:OpenAction|AA|JS|JavaScript|Launch|URI|AcroForm|EmbeddedFile|Annots)\b/);
  });

  it('with hundreds of rare characters takes at most five times as long as one with common characters', async () => {
    // no line has letters of another one: what was measured before is remembered
    const odd = (line: number) =>
      String.fromCodePoint(...Array.from({ length: 250 }, (_, index) => 0x4e00 + index * 37 + line));
    const plain = (line: number) => `plain${line}`.repeat(50).slice(0, 250);
    const renderNamed = async (nameOf: (line: number) => string, first: number) => {
      const lines = Array.from({ length: 18 }, (_, index) => ({ name: nameOf(first + index), unitAmount: 100 }));
      await renderPdf(documentView(invoiceOf(sale(lines)), { locale: 'ja', isSandbox: false }));
    };
    await renderNamed(odd, 0);
    const cost = await microsecondsOf(() => renderNamed(plain, 0));
    const ratio = (await microsecondsOf(() => renderNamed(odd, 18))) / cost;
    expect(ratio).toBeLessThan(5);
  });
});

/** What pdf.js says while it reads the fonts and draws every page, without a canvas. */
async function complaintsOf(pdf: Buffer): Promise<string[]> {
  const complaints: string[] = [];
  const spies = (['log', 'warn'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((text) => void complaints.push(String(text))),
  );
  try {
    const proxy = await getDocumentProxy(new Uint8Array(pdf), { stopAtErrors: true, verbosity: 1 });
    for (let number = 1; number <= proxy.numPages; number += 1) {
      const { fnArray } = await (await proxy.getPage(number)).getOperatorList();
      if (fnArray.length === 0) complaints.push(`page ${number} is empty`);
    }
  } catch (error) {
    complaints.push(String(error));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return complaints;
}

/** The pixels need Poppler: pdf.js has no canvas here. `gallery.ts` draws the documents to be looked at. */
const hasPoppler = spawnSync('pdftoppm', ['-v']).status === 0;

describe('another PDF reader', () => {
  it.each(specimens)('reads $name without an error', async (specimen) => {
    expect(await complaintsOf(await pdfOf(specimen))).toEqual([]);
  });

  it('reports a damaged font', async () => {
    const pdf = Buffer.from(await pdfOf(named('reverse-charge')));
    const [, font = ''] = /\/FontFile\d? (\d+) 0 R/.exec(pdf.toString('latin1')) ?? [];
    const bytes = pdf.indexOf('stream', pdf.indexOf(`\n${font} 0 obj`)) + 'stream\n'.length;
    pdf.fill('x', bytes, bytes + 200);
    expect(await complaintsOf(pdf)).not.toEqual([]);
  });

  it.skipIf(!hasPoppler)('draws every document without an error', async () => {
    for (const specimen of specimens) {
      const input = await pdfOf(specimen);
      const { status, stderr, stdout } = spawnSync('pdftoppm', ['-r', '40', '-png', '-singlefile'], { input });
      const { name } = specimen;
      expect({ name, status, complaints: stderr.toString() }).toEqual({ name, status: 0, complaints: '' });
      expect(stdout.toString('latin1', 1, 4)).toBe('PNG');
    }
  });
});

describe('the characters in a PDF', () => {
  const style = { size: 9, weight: 400 } as const;
  const runsOf = (text: string) => setText(text, style).flatMap(({ runs }) => runs);
  const isDrawn = (text: string): boolean =>
    runsOf(text).every(({ face, text: run }) => face.font.layout(run, []).glyphs.every(({ id }) => id !== 0));

  it.each([
    ['Latin', 'Zażółć gęślą jaźń, Þórður, Şığ, ẞ', 'noto-sans'],
    ['Vietnamese', 'Nguyễn Thị Hồng Nhật Ưởng', 'noto-sans'],
    ['Greek', 'Ελληνικά, ᾿Αθῆναι', 'noto-sans'],
    ['Cyrillic', 'Щедрик, Љубав, Ґанок', 'noto-sans'],
    ['Devanagari', 'नमस्ते', 'noto-sans'],
    ['Arabic', 'محمد علي', 'noto-sans-arabic'],
    ['Hebrew', 'שלום', 'noto-sans-hebrew'],
    ['Thai', 'สมชาย', 'noto-sans-thai'],
    ['Japanese', '渡邉 髙橋 ひらがな カタカナ', 'kosugi'],
    ['simplified Chinese', '张伟 刘洋 陈静', 'chocolate-classical-sans'],
    ['traditional Chinese', '陳淑芬 溫哥華 着', 'chocolate-classical-sans'],
    ['Korean', '김철수 주식회사', 'gowun-dodum'],
    ['emoji', '🎸👩‍💻🇩🇪❤️', 'noto-emoji'],
    ['Georgian', 'ქართული', 'unifont'],
  ])('of %s names are drawn, all in one typeface', (_, text, family) => {
    expect(isDrawn(text)).toBe(true);
    const families = runsOf(text)
      .filter(({ text: run }) => run.trim() !== '')
      .map(({ face }) => face.key);
    for (const key of families) expect(key.startsWith(family)).toBe(true);
  });

  it('of amounts in all currencies and languages are drawn', () => {
    for (const specimen of specimens)
      for (const text of textsOf(viewOf(specimen))) expect(isDrawn(text), text).toBe(true);
  });

  it('that are in no font are drawn as a replacement sign, not as a gap or an empty box', () => {
    const [run] = runsOf('\u{10FFFD}');
    expect(run?.text).toBe('\uFFFD');
    expect(isDrawn('\u{10FFFD}')).toBe(true);
  });

  it('that would reverse the direction of the text are left out', () => {
    expect(
      runsOf('a\u202Egpj.exe\u2066b\u200F')
        .map(({ text }) => text)
        .join(''),
    ).toBe('agpj.exeb');
  });

  it('in Hebrew are drawn from right to left, with brackets and numbers in the right order', () => {
    const shown = runsOf('שלום (ABC) 123')
      .map(({ text }) => text)
      .join('');
    expect(shown).toBe('123 (ABC) שלום');
  });

  it('of an inserted value keep their order inside a Hebrew text', () => {
    const shown = runsOf('\u2068INV-7\u2069 ל־\u2068Ada (UK)\u2069!')
      .map(({ text }) => text)
      .join('');
    expect(shown).toBe('!Ada (UK)ל־ INV-7');
  });

  it('that Chinese and Japanese share are drawn in the font of the chosen country', () => {
    const keyOf = (family: string) => setText('合成', { ...style, family })[0]?.runs[0]?.face.key.split('-')[0];
    expect([keyOf('kosugi'), keyOf('chocolate-classical-sans')]).toEqual(['kosugi', 'chocolate']);
  });

  it.each([400, 700] as const)(
    'of weight %d have their own width, also after text of the other weight was measured',
    (weight) => {
      const wide = (of: 400 | 700, text: string) => widthOf(setText(text, { ...style, weight: of }));
      const text = `Total ${weight}`;
      const [first, other] = [wide(weight, text), wide(weight === 400 ? 700 : 400, text)];
      expect(Math.sign(first - other)).toBe(weight === 400 ? -1 : 1);
      expect(wide(weight, text)).toBe(first);
    },
  );

  it('are wrapped between words, and inside a word only if it is too long for a line', () => {
    const lines = setText('Donaudampfschifffahrt auf der Donau', style, 60).map(({ runs }) =>
      runs.map(({ text }) => text).join(''),
    );
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.join('').replace(/ /g, '')).toBe('DonaudampfschifffahrtaufderDonau');
    expect(lines.at(-1)).toBe('der Donau');
    for (const { width } of setText('Donaudampfschifffahrt auf der Donau', style, 60))
      expect(width).toBeLessThanOrEqual(60);
  });

  it('in Thai are wrapped between words, which have no spaces, and inside a word only if it is too long', () => {
    const wrapped = (text: string, width: number) => {
      const lines = setText(text, style, width);
      for (const line of lines) expect(line.width).toBeLessThanOrEqual(width);
      return lines.map(({ runs }) => runs.map(({ text: run }) => run).join(''));
    };
    expect(wrapped('ร้านค้าต่างๆคืนเงินแล้ว', 50)).toEqual(['ร้านค้าต่างๆ', 'คืนเงินแล้ว']);
    expect(wrapped('พฤศจิกายน', 30).join('')).toBe('พฤศจิกายน');
  });

  it('in Thai have the tone mark above the ring of a vowel', () => {
    expect(runsOf('น้ำชำ').map(({ text }) => text)).toEqual(['นํ้าชํา']);
  });

  it('come from WOFF fonts only: another file is refused', () => {
    expect(() => unpackWoff(Buffer.from('not a font'))).toThrow('not a WOFF');
  });
});
