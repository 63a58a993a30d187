import { type ApiOperation, accessOf, examplePath, requestContent } from './contract.ts';

/** The programming languages of the examples. */
export const exampleLanguages = [
  { name: 'curl', fence: 'sh' },
  { name: 'TypeScript', fence: 'ts' },
  { name: 'Python', fence: 'python' },
] as const;

/** Code that must run before the examples of a page, by language. */
export const preambles: Readonly<Record<(typeof exampleLanguages)[number]['fence'], string>> = {
  sh: `API=http://localhost:4000
KEY=sk_test_LocalSandboxKeyWorksNowhereElse04O5HgB`,
  ts: `async function call(method: string, path: string, body?: object): Promise<any> {
  const headers = { authorization: \`Bearer \${process.env.TILLSTACK_KEY}\`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(process.env.TILLSTACK_URL + path, init);
  const answer = await response.json();
  if (!response.ok) throw new Error(\`\${answer.code}: \${answer.message}\`);
  return answer;
}`,
  python: `import json, os, urllib.error, urllib.request

def call(method, path, body=None):
    headers = {"authorization": f"Bearer {os.environ['TILLSTACK_KEY']}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(os.environ["TILLSTACK_URL"] + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        answer = json.load(error)
        raise RuntimeError(f"{answer['code']}: {answer['message']}") from error`,
};

function curlOf(operation: ApiOperation): string {
  const { method } = operation;
  const body = requestContent(operation)?.example;
  const key = accessOf(operation) === undefined ? '' : ' -H "Authorization: Bearer $KEY"';
  const call = `curl -sS${method === 'GET' || (method === 'POST' && body) ? '' : ` -X ${method}`} "$API${examplePath(operation)}"${key}`;
  if (body === undefined) return call;
  return `${call} -H 'content-type: application/json' -d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`;
}

const typeScriptOf = (operation: ApiOperation): string => {
  const body = requestContent(operation)?.example;
  const words = [`'${operation.method}'`, `'${examplePath(operation)}'`];
  return `await call(${[...words, ...(body === undefined ? [] : [JSON.stringify(body, null, 2)])].join(', ')});`;
};

/** JSON in the form of Python. */
function pythonValue(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const parts = Array.isArray(value)
    ? value.map((one) => pythonValue(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return parts.length === 0
    ? open + close
    : `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

const pythonOf = (operation: ApiOperation): string => {
  const body = requestContent(operation)?.example;
  const words = [`"${operation.method}"`, `"${examplePath(operation)}"`];
  return `call(${[...words, ...(body === undefined ? [] : [pythonValue(body, '')])].join(', ')})`;
};

/** Functions that write the code for a call of an operation, by language. */
export const snippetOf: Readonly<
  Record<(typeof exampleLanguages)[number]['fence'], (operation: ApiOperation) => string>
> = {
  sh: curlOf,
  ts: typeScriptOf,
  python: pythonOf,
};
