import { Parser } from './parser.ts';
import type { Operand, UpdateAction } from './syntax.ts';

const sections = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;
type Section = (typeof sections)[number];

/** Parses updates. Their sections can be in any order, each at most once. */
export class UpdateParser extends Parser {
  update(): UpdateAction[] {
    const actions: UpdateAction[] = [];
    const seen = new Set<Section>();
    do {
      const section = this.#section();
      if (seen.has(section))
        throw this.refusal(`The "${section}" section can only be used once in an update expression;`);
      seen.add(section);
      actions.push(...this.list(() => this.#action(section)));
    } while (this.peek() !== '');
    return actions;
  }

  #section(): Section {
    const section = sections.find((word) => this.nextIs(word));
    if (!section) throw this.syntaxError();
    this.next();
    return section;
  }

  #action(section: Section): UpdateAction {
    const path = this.path();
    if (section === 'REMOVE') return { is: section, path };
    if (section !== 'SET') return { is: section, path, operand: this.#value() };
    this.expect('=');
    return { is: section, path, operand: this.#sum() };
  }

  #value(): Operand {
    return { is: 'value', placeholder: this.placeholder() };
  }

  #sum(): Operand {
    const left = this.#operand();
    if (this.takes('+')) return { is: 'sum', left, right: this.#operand(), sign: 1 };
    if (this.takes('-')) return { is: 'sum', left, right: this.#operand(), sign: -1 };
    return left;
  }

  #operand(): Operand {
    if (this.takes('(')) return this.#closed(() => this.#sum());
    if (this.peek().startsWith(':')) return this.#value();
    if (this.peek(1) !== '(') return { is: 'path', path: this.path() };
    const name = this.next();
    this.expect('(');
    return this.#closed(() => this.#call(name));
  }

  #closed(parse: () => Operand): Operand {
    const operand = parse();
    this.expect(')');
    return operand;
  }

  #call(name: string): Operand {
    if (name !== 'if_not_exists' && name !== 'list_append')
      throw this.refusal(`Invalid function name; function: ${name}`);
    const [left, right, ...others] = this.list(() => this.#operand());
    const about = `operator or function: ${name}`;
    if (!left || !right || others.length > 0)
      throw this.refusal(
        `Incorrect number of operands for operator or function; ${about}, number of operands: ${right ? others.length + 2 : 1}`,
      );
    if (name === 'list_append') return { is: 'append', left, right };
    if (left.is !== 'path') throw this.refusal(`The operator or function requires a document path; ${about}`);
    return { is: 'default', path: left.path, otherwise: right };
  }
}
