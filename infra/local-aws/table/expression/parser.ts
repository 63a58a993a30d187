import { type DynamoError, invalid } from '../dynamo-error.ts';
import { reservedWords } from './reserved-words.ts';
import type { DocumentPath, ExpressionKind, ParsedExpression } from './syntax.ts';
import { type Token, tokensOf } from './tokens.ts';

const bareName = /^[A-Za-z_]\w*$/;

/**
 * The base of all parsers for expressions. It handles tokens, lists and paths. Each kind of expression adds its own
 * grammar.
 */
export class Parser {
  readonly kind: ExpressionKind;
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(kind: ExpressionKind, text: string) {
    this.kind = kind;
    this.#text = text;
    this.#tokens = tokensOf(text);
    if (this.#tokens.length === 0) throw this.refusal('The expression can not be empty;');
  }

  refusal(reason: string): DynamoError {
    return invalid(`Invalid ${this.kind}: ${reason}`);
  }

  peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead]?.text ?? '';
  }

  next(): string {
    const word = this.peek();
    this.#at += 1;
    return word;
  }

  /**
   * The error for a text that cannot be parsed. It names the token before the next one, because the text is wrong from
   * there.
   */
  syntaxError(at = this.#at): DynamoError {
    const token = this.#tokens[at];
    const [first, last] = [this.#tokens[Math.max(0, at - 1)], this.#tokens[at + 1] ?? token ?? this.#tokens.at(-1)];
    const near = this.#text.slice(first?.start, last?.end);
    return this.refusal(`Syntax error; token: "${token?.text ?? '<EOF>'}", near: "${near}"`);
  }

  /** Whether the next token is this keyword. It may be in lower case. */
  nextIs(word: string): boolean {
    return this.peek().toUpperCase() === word;
  }

  takes(word: string): boolean {
    if (!this.nextIs(word)) return false;
    this.#at += 1;
    return true;
  }

  expect(word: string): void {
    if (!this.takes(word)) throw this.syntaxError();
  }

  list<Element>(parseElement: () => Element): Element[] {
    const elements = [parseElement()];
    while (this.takes(',')) elements.push(parseElement());
    return elements;
  }

  path(): DocumentPath {
    const path: (string | number)[] = [this.#name()];
    for (;;) {
      if (this.takes('.')) path.push(this.#name());
      else if (this.takes('[')) path.push(this.#place());
      else return path;
    }
  }

  #name(): string {
    const name = this.peek();
    if (!bareName.test(name) && !name.startsWith('#')) throw this.syntaxError();
    if (reservedWords.has(name.toUpperCase()))
      throw this.refusal(`Attribute name is a reserved keyword; reserved keyword: ${name}`);
    return this.next();
  }

  #place(): number {
    if (!/^\d+$/.test(this.peek())) throw this.syntaxError();
    const place = Number(this.next());
    this.expect(']');
    return place;
  }

  placeholder(): string {
    if (!this.peek().startsWith(':') || this.peek().length < 2) throw this.syntaxError();
    return this.next();
  }

  /** Checks that the whole text was parsed. */
  finish<Root>(root: Root): ParsedExpression<Root> {
    if (this.peek() !== '') throw this.syntaxError();
    const placeholders = this.#tokens.map(({ text }) => text).filter((text) => /^[#:]\w/.test(text));
    return { kind: this.kind, root, placeholders: new Set(placeholders) };
  }
}
