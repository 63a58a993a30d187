import { createHash } from 'node:crypto';
import type { ApiCaller } from '../api.ts';
import { ApiRefusal } from '../failures.ts';
import { eachRow } from './at-once.ts';
import type { ImportPlan } from './plan.ts';
import { type ImportKind, importKinds, type Remark, remarkOn, type ShopItem } from './shop.ts';
import { addressOf, type Known, type Stock } from './stock.ts';

/** What an import has done. */
export interface ImportResult {
  created: { kind: ImportKind; id: string; created_id: string }[];
  /** The items that the API refused, with its reason. */
  refused: Remark[];
}

interface WriteDeps {
  api: ApiCaller;
  source: string;
  stock: Stock;
  /** Is called after each item with the number of all handled items. */
  onDone(done: number): void;
}

/** The ids here: of products by their ids there, and of customers by their addresses. */
type Ids = Readonly<Record<'product' | 'customer', Map<string, string>>>;

interface Creation {
  path: string;
  body: object;
  /** The field of the answer that has the id. */
  id: string;
}

/** The request that creates an item; undefined if an item that it names was refused. */
function creationOf({ kind, body, products = [], email }: ShopItem, ids: Ids): Creation | undefined {
  const [productId, ...others] = products.map((id) => ids.product.get(id));
  const customerId = ids.customer.get(addressOf(email));
  if ((products.length > 0 && !productId) || others.includes(undefined) || (email && !customerId)) return undefined;
  const restricted = products.length > 0 && { restricted_to: [productId, ...others] };
  const creations: Readonly<Record<ImportKind, Creation>> = {
    product: { path: '/products', body, id: 'product_id' },
    price: { path: `/products/${productId}/localized-prices`, body, id: 'id' },
    discount: { path: '/discounts', body: { ...body, ...restricted }, id: 'discount_id' },
    customer: { path: '/customers', body, id: 'customer_id' },
    'licence key': {
      path: '/license_keys',
      body: { ...body, product_id: productId, customer_id: customerId },
      id: 'id',
    },
  };
  return creations[kind];
}

/**
 * The Idempotency-Key of an item. The same item of a source has the same key in every run, so that two runs at the same
 * time create it once.
 */
const idempotencyKeyOf = (source: string, { kind, id }: ShopItem, body: object): string =>
  `import-${createHash('sha256')
    .update(JSON.stringify([source, kind, id, body]))
    .digest('hex')}`;

/** Creates an item and returns its id here. An item that the API refuses becomes a remark, other failures are thrown. */
async function create({ api, source }: WriteDeps, item: ShopItem, ids: Ids): Promise<string | Remark> {
  const creation = creationOf(item, ids);
  if (!creation) return remarkOn(item, 'its product or customer was refused.');
  try {
    const key = idempotencyKeyOf(source, item, creation.body);
    const answer = await api.post<Record<string, unknown>>(creation.path, creation.body, key);
    return String(answer[creation.id]);
  } catch (error) {
    if (error instanceof ApiRefusal && error.answer.problem && [400, 404, 409, 410, 422].includes(error.answer.status))
      return remarkOn(item, error.answer.problem.message);
    throw error;
  }
}

/** Notes the id of a product or a customer, for the items that name it. */
function remember(ids: Ids, { kind, id, body }: ShopItem, created: string): void {
  if (kind === 'product') ids.product.set(id, created);
  if (kind === 'customer') ids.customer.set(addressOf(body['email']), created);
}

/** Archives a product, or disables a licence key, as it is in the source. */
async function end({ api }: WriteDeps, { kind }: ShopItem, id: string): Promise<void> {
  if (kind === 'licence key')
    await api.send({ method: 'PATCH', path: `/license_keys/${id}`, body: { disabled: true }, isIdempotent: true });
  else
    await api.send({ method: 'DELETE', path: `/products/${id}`, isIdempotent: true }).catch((error: unknown) => {
      if (!(error instanceof ApiRefusal && error.answer.status === 410)) throw error;
    });
}

/**
 * Creates the items of a plan. An item that the API refuses is reported, and the others are created. Any other failure
 * ends the import.
 */
export async function writeShop({ fresh, known, ending }: ImportPlan, deps: WriteDeps): Promise<ImportResult> {
  const written: ImportResult = { created: [], refused: [] };
  const idsOf = (stocked: Map<string, Known>) => new Map([...stocked].map(([name, { id }]) => [name, id]));
  const ids = { product: idsOf(deps.stock.product), customer: idsOf(deps.stock.customer) };
  for (const { item, object } of known) remember(ids, item, object.id);
  const archiving: [ShopItem, string][] = [];
  const handle = async (item: ShopItem) => {
    const id = await create(deps, item, ids);
    if (typeof id !== 'string') written.refused.push(id);
    else {
      written.created.push({ kind: item.kind, id: item.id, created_id: id });
      remember(ids, item, id);
      if (item.isEnded && item.kind === 'product') archiving.push([item, id]);
      else if (item.isEnded) await end(deps, item, id);
    }
  };
  let done = 0;
  for (const kind of importKinds)
    await eachRow(
      fresh.filter((item) => item.kind === kind),
      async (item) => {
        await handle(item);
        done += 1;
        deps.onDone(done);
      },
    );
  for (const [item, id] of [...archiving, ...ending.map(({ item, object }) => [item, object.id] as const)])
    await end(deps, item, id);
  return written;
}
