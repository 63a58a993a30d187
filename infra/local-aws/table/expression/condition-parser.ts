import { Parser } from './parser.ts';
import type { Comparator, Condition, Operand, PredicateName } from './syntax.ts';

/** The number of operands of each predicate. */
const predicates: Readonly<Record<PredicateName, number>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
};

const isPredicate = (name: string): name is PredicateName => Object.hasOwn(predicates, name);

const comparators: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Parses conditions, filters and key conditions. */
export class ConditionParser extends Parser {
  /** The last expression in parentheses. DynamoDB refuses a second pair of parentheses around the same expression. */
  #enclosed: Condition | undefined;

  condition(): Condition {
    let condition = this.#conjunction();
    while (this.takes('OR')) condition = { is: 'or', left: condition, right: this.#conjunction() };
    return condition;
  }

  #conjunction(): Condition {
    let condition = this.#negation();
    while (this.takes('AND')) condition = { is: 'and', left: condition, right: this.#negation() };
    return condition;
  }

  #negation(): Condition {
    return this.takes('NOT') ? { is: 'not', condition: this.#negation() } : this.#simple();
  }

  #simple(): Condition {
    if (this.nextIs('(')) return this.#parentheses();
    if (this.peek(1) === '(' && this.peek() !== 'size' && !this.nextIs('NOT')) return this.#call();
    return this.#comparison();
  }

  #parentheses(): Condition {
    this.expect('(');
    const condition = this.condition();
    this.expect(')');
    if (condition === this.#enclosed) throw this.refusal('The expression has redundant parentheses;');
    this.#enclosed = condition;
    return condition;
  }

  #call(): Condition {
    const name = this.next();
    this.expect('(');
    const operands = this.list(() => this.operand());
    this.expect(')');
    const about = `operator or function: ${name}`;
    if (!isPredicate(name)) throw this.refusal(`Invalid function name; function: ${name}`);
    if (operands.length !== predicates[name])
      throw this.refusal(
        `Incorrect number of operands for operator or function; ${about}, number of operands: ${operands.length}`,
      );
    if (name.startsWith('attribute') && operands[0]?.is !== 'path')
      throw this.refusal(`The operator or function requires a document path; ${about}`);
    return { is: 'call', name, operands };
  }

  #comparison(): Condition {
    const left = this.operand();
    if (this.takes('BETWEEN')) return this.#range(left);
    if (this.takes('IN')) return this.#choice(left);
    if (!comparators.has(this.peek())) throw this.#noComparison(left);
    return { is: 'compare', left, comparator: this.next() as Comparator, right: this.operand() };
  }

  #noComparison(operand: Operand): Error {
    if (operand.is !== 'size') return this.syntaxError();
    return this.refusal('The function is not allowed to be used this way in an expression; function: size');
  }

  #range(operand: Operand): Condition {
    const from = this.operand();
    this.expect('AND');
    return { is: 'between', operand, from, to: this.operand() };
  }

  #choice(operand: Operand): Condition {
    this.expect('(');
    const among = this.list(() => this.operand());
    this.expect(')');
    return { is: 'in', operand, among };
  }

  operand(): Operand {
    if (this.peek().startsWith(':')) return { is: 'value', placeholder: this.placeholder() };
    if (this.peek(1) !== '(') return { is: 'path', path: this.path() };
    return this.#size();
  }

  #size(): Operand {
    const name = this.next();
    if (isPredicate(name))
      throw this.refusal(`The function is not allowed to be used this way in an expression; function: ${name}`);
    if (name !== 'size') throw this.refusal(`Invalid function name; function: ${name}`);
    this.expect('(');
    const of = this.operand();
    this.expect(')');
    return { is: 'size', of };
  }
}
