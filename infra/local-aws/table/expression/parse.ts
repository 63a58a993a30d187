import { ConditionParser } from './condition-parser.ts';
import { Parser } from './parser.ts';
import type { Condition, DocumentPath, ExpressionKind, ParsedExpression, UpdateAction } from './syntax.ts';
import { UpdateParser } from './update-parser.ts';

const mostKept = 1_000;

/** Makes a parser that parses each text only once, because the stores send the same few texts many times. */
function parsedOnce<Root>(parse: (kind: ExpressionKind, text: string) => ParsedExpression<Root>) {
  const known = new Map<string, ParsedExpression<Root>>();
  return (kind: ExpressionKind, text: string): ParsedExpression<Root> => {
    const name = `${kind} ${text}`;
    const parsed = known.get(name) ?? parse(kind, text);
    if (known.size >= mostKept) known.clear();
    known.set(name, parsed);
    return parsed;
  };
}

export const parseCondition = parsedOnce<Condition>((kind, text) => {
  const parser = new ConditionParser(kind, text);
  return parser.finish(parser.condition());
});

export const parseUpdate = parsedOnce<UpdateAction[]>((kind, text) => {
  const parser = new UpdateParser(kind, text);
  return parser.finish(parser.update());
});

export const parseProjection = parsedOnce<DocumentPath[]>((kind, text) => {
  const parser = new Parser(kind, text);
  return parser.finish(parser.list(() => parser.path()));
});
