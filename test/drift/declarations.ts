/** A type as the library declares it, as far as JSON can tell types apart. */
export type Declared =
  | { kind: 'any' }
  | { kind: 'primitive'; json: 'string' | 'number' | 'boolean' | 'null' }
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'array'; of: Declared }
  | { kind: 'union'; options: Declared[] }
  | { kind: 'object'; fields: Map<string, DeclaredField>; bases: Reference[]; isOpen: boolean }
  | Reference;

export interface DeclaredField {
  type: Declared;
  isOptional: boolean;
}

/** A name of another type, to be looked up from the namespace that it stands in. */
export interface Reference {
  kind: 'reference';
  name: string;
  scope: string;
}

/** What one file of declarations says: its types by qualified name, and the files that its other names come from. */
export interface Declarations {
  types: Map<string, Declared>;
  imports: Map<string, { from: string; name?: string }>;
}

const token = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\w$]+|\S/g;
const primitives = ['string', 'number', 'boolean', 'null'] as const;

/** Reads what generated declarations consist of: interfaces, aliases, namespaces and imports. Classes are passed over. */
class Reader {
  readonly #tokens: string[];
  #at = 0;
  readonly found: Declarations = { types: new Map(), imports: new Map() };

  constructor(text: string) {
    this.#tokens = (text.match(token) ?? []).filter((one) => !one.startsWith('/*') && !one.startsWith('//'));
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #next(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? '';
  }

  #takes(wanted: string): boolean {
    if (this.#peek() !== wanted) return false;
    this.#at += 1;
    return true;
  }

  #expect(wanted: string): void {
    const got = this.#next();
    if (got !== wanted) throw new Error(`The declarations have ${got} where ${wanted} was expected.`);
  }

  #skipBlock(): void {
    while (this.#at < this.#tokens.length && this.#next() !== '{');
    for (let depth = 1; depth > 0 && this.#at < this.#tokens.length; ) {
      const one = this.#next();
      if (one === '{') depth += 1;
      if (one === '}') depth -= 1;
    }
  }

  /** Reads statements until the end of the file or of the namespace. */
  statements(scope = ''): Declarations {
    while (this.#at < this.#tokens.length && !this.#takes('}')) this.#statement(scope, this.#next());
    return this.found;
  }

  #statement(scope: string, word: string): void {
    if (word === 'import') this.#import();
    else if (word === 'interface') this.#interface(scope);
    else if (word === 'type') this.#alias(scope);
    else if (word === 'namespace') this.#namespace(scope);
    else if (word === 'class') this.#skipBlock();
    else if (word === 'export' && this.#peek() === '{') this.#skipBlock();
  }

  #namespace(scope: string): void {
    const name = this.#next();
    this.#expect('{');
    this.statements(`${scope}${name}.`);
  }

  #import(): void {
    const words: string[] = [];
    while (this.#peek() !== 'from') words.push(this.#next());
    this.#expect('from');
    const from = this.#next().slice(1, -1);
    if (words[0] === '*') this.found.imports.set(words[2] ?? '', { from });
    else for (const name of words.filter((one) => /^\w/.test(one))) this.found.imports.set(name, { from, name });
  }

  #interface(scope: string): void {
    const name = this.#next();
    if (this.#peek() === '<') {
      this.#skipBlock();
      return;
    }
    const bases: Reference[] = [];
    if (this.#takes('extends')) {
      do {
        const base = this.#primary(scope);
        if (base.kind === 'reference') bases.push(base);
      } while (this.#takes(','));
    }
    this.#expect('{');
    this.found.types.set(scope + name, this.#members(scope, bases));
  }

  #alias(scope: string): void {
    const name = this.#next();
    if (!this.#takes('=')) return;
    this.found.types.set(scope + name, this.type(scope));
  }

  #members(scope: string, bases: Reference[]): Declared {
    const fields = new Map<string, DeclaredField>();
    let isOpen = false;
    while (!this.#takes('}')) {
      if (this.#takes('[')) {
        while (this.#next() !== ']');
        isOpen = true;
        this.#expect(':');
        this.type(scope);
      } else {
        const name = this.#next().replace(/^['"]|['"]$/g, '');
        const isOptional = this.#takes('?');
        this.#expect(':');
        fields.set(name, { type: this.type(scope), isOptional });
      }
      this.#takes(';');
    }
    return { kind: 'object', fields, bases, isOpen };
  }

  type(scope: string): Declared {
    const options: Declared[] = [];
    this.#takes('|');
    do options.push(this.#primary(scope));
    while (this.#takes('|'));
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'union', options };
  }

  #primary(scope: string): Declared {
    let type = this.#atom(scope);
    while (this.#takes('[')) {
      this.#expect(']');
      type = { kind: 'array', of: type };
    }
    return type;
  }

  #atom(scope: string): Declared {
    const word = this.#next();
    if (/^['"]/.test(word)) return { kind: 'literal', value: word.slice(1, -1) };
    if (/^\d/.test(word)) return { kind: 'literal', value: Number(word) };
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' };
    if (word === '{') return this.#members(scope, []);
    if (word === '(') {
      const inner = this.type(scope);
      this.#expect(')');
      return inner;
    }
    const json = primitives.find((one) => one === word);
    if (json) return { kind: 'primitive', json };
    return this.#named(scope, word);
  }

  #named(scope: string, first: string): Declared {
    let name = first;
    while (this.#takes('.')) name += `.${this.#next()}`;
    if (!this.#takes('<')) return { kind: 'reference', name, scope };
    const inner = [this.type(scope)];
    while (this.#takes(',')) inner.push(this.type(scope));
    this.#expect('>');
    if (name === 'Array' && inner[0]) return { kind: 'array', of: inner[0] };
    return name === 'Record' ? { kind: 'any' } : { kind: 'reference', name, scope };
  }
}

/** The types and imports of a file of declarations, as code generators write them; throws at what they don't write. */
export const readDeclarations = (text: string): Declarations => new Reader(text).statements();

/** A type that stands alone, such as what a method answers. */
export const readType = (text: string): Declared => new Reader(text).type('');
