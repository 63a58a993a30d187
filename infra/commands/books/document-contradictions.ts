import type { DocumentKind } from '../../../shared/domain/documents/document.ts';
import { documentNumber } from '../../../shared/domain/documents/document-series.ts';

/** A payment or refund that has succeeded, and the amount that its document must have. */
interface SubjectFacts {
  is: 'subject';
  gross: number;
}

interface DocumentFacts {
  is: 'document';
  number: string;
  gross: number;
  isMailed: boolean;
}

/** A number in a series. Its row names the payment or refund to which it belongs. */
interface SerialFacts {
  is: 'serial';
  number: string;
}

/** The row with which a payment or refund keeps its number. */
interface TakenFacts {
  is: 'taken';
  number: string;
}

/** An event that is still due. Then its missing document may still be issued. */
interface AwaitedFacts {
  is: 'awaited';
}

interface MailFacts {
  is: 'mail';
  isDone: boolean;
}

export type DocumentaryFacts = SubjectFacts | DocumentFacts | SerialFacts | TakenFacts | AwaitedFacts | MailFacts;

/** The facts about one payment or refund and its document. */
interface Documentary {
  subject: SubjectFacts | undefined;
  document: DocumentFacts | undefined;
  serials: string[];
  taken: string[];
  isAwaited: boolean;
  isMailDone: boolean;
}

function sorted(facts: readonly DocumentaryFacts[]): Documentary {
  const those = <Kind extends DocumentaryFacts['is']>(kind: Kind) =>
    facts.filter((fact): fact is Extract<DocumentaryFacts, { is: Kind }> => fact.is === kind);
  return {
    subject: those('subject')[0],
    document: those('document')[0],
    serials: those('serial').map(({ number }) => number),
    taken: those('taken').map(({ number }) => number),
    isAwaited: those('awaited').length > 0,
    isMailDone: those('mail').some(({ isDone }) => isDone),
  };
}

/**
 * The contradictions between one payment or refund and its document. `isUndocumented` means that the document can
 * be issued.
 */
export function misdocumented(
  id: string,
  facts: readonly DocumentaryFacts[],
): { faults: string[]; isUndocumented: boolean } {
  const known = sorted(facts);
  const numbers = [...new Set([...known.serials, ...known.taken])].sort();
  const faults = [
    ...(known.document ? misdrawn(known, known.document) : undrawn(known, numbers)),
    ...(numbers.length > 1 ? [`it has more than one number: ${numbers.join(' and ')}`] : []),
  ];
  return {
    faults: faults.map((fault) => `${id}: ${fault}`),
    isUndocumented: known.subject !== undefined && known.document === undefined,
  };
}

function undrawn({ subject }: Documentary, numbers: readonly string[]): string[] {
  const [number] = numbers;
  if (number !== undefined) return [subject ? `its document ${number} is missing` : orphaned(number)];
  return subject ? ['it has no document'] : [];
}

function misdrawn(known: Documentary, { number, gross, isMailed }: DocumentFacts): string[] {
  const { subject, serials, taken, isAwaited, isMailDone } = known;
  const claims: [holds: boolean, fault: string][] = [
    [subject !== undefined, orphaned(number)],
    [subject === undefined || subject.gross === gross, `its document ${number} has a different amount`],
    [serials.includes(number), `its number ${number} is missing from the series`],
    [isAwaited || taken.length > 0, `the row that reserves its number ${number} is missing`],
    [!isMailed || isMailDone, `its document ${number} was not mailed`],
  ];
  return claims.filter(([holds]) => !holds).map(([, fault]) => fault);
}

const orphaned = (number: string): string =>
  `document ${number} exists, but its payment or refund has not succeeded or is missing`;

/** The existing numbers of one series, and its counter. Uses one bit for each number, so millions fit into memory. */
export class SeriesSeen {
  private readonly kind: DocumentKind;
  private readonly year: string;
  private bits = new Uint8Array(1_024);
  private counter = 0;

  constructor(kind: DocumentKind, year: string) {
    this.kind = kind;
    this.year = year;
  }

  count(last: number): void {
    this.counter = last;
  }

  add(serial: number): void {
    const byte = serial >> 3;
    if (byte >= this.bits.length) {
      const larger = new Uint8Array(Math.max(2 * this.bits.length, byte + 1));
      larger.set(this.bits);
      this.bits = larger;
    }
    this.bits[byte] = (this.bits[byte] ?? 0) | (1 << (serial & 7));
  }

  /**
   * The faults of a series: numbers that are missing up to the counter, and numbers above it. A number above the
   * counter means that the counter was changed to a lower value.
   */
  faults(): string[] {
    const missing: string[] = [];
    let from: number | undefined;
    for (let serial = 1; serial <= this.counter + 1; serial += 1) {
      const isGap = serial <= this.counter && !this.has(serial);
      if (isGap) from ??= serial;
      else if (from !== undefined) {
        missing.push(this.gap(from, serial - 1));
        from = undefined;
      }
    }
    const highest = this.highest();
    const name = `${this.kind}-${this.year}`;
    const above =
      highest > this.counter ? [`${name}: the counter is at ${this.counter}, but number ${highest} is used`] : [];
    return [...missing, ...above];
  }

  private has(serial: number): boolean {
    return ((this.bits[serial >> 3] ?? 0) & (1 << (serial & 7))) !== 0;
  }

  private highest(): number {
    let byte = this.bits.length - 1;
    while (byte > 0 && this.bits[byte] === 0) byte -= 1;
    return byte * 8 + 31 - Math.clz32(this.bits[byte] ?? 0);
  }

  private gap(from: number, to: number): string {
    const name = (serial: number) => documentNumber({ kind: this.kind, year: this.year }, serial);
    return from === to
      ? `${name(from)} is missing from its series`
      : `${name(from)} to ${name(to)} are missing from their series`;
  }
}
