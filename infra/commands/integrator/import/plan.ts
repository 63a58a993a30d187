import { type ImportedShop, importKinds, type Remark, remarkOn, type ShopItem } from './shop.ts';
import { addressOf, findKnown, type Known, type Stock } from './stock.ts';

/** What an import does. */
export interface ImportPlan {
  /** The items to create, in the order of their kinds. */
  fresh: ShopItem[];
  /** The items that exist, with their objects. They stay as they are. */
  known: { item: ShopItem; object: Known }[];
  /** The known ones that are archived or disabled in the source, but not here. */
  ending: { item: ShopItem; object: Known }[];
  leftOut: Remark[];
  notes: Remark[];
}

/** What exists, or will exist, when an item is imported. */
interface Reach {
  /** The products by their ids there, with their ids here as far as they exist. */
  products: Map<string, string | undefined>;
  addresses: Set<string>;
}

/** Decides for each item of the shop whether it is created. An item whose product or customer is left out is left out. */
export function planOf(shop: ImportedShop, stock: Stock): ImportPlan {
  const plan: ImportPlan = { fresh: [], known: [], ending: [], leftOut: [...shop.leftOut], notes: [...shop.notes] };
  const products = new Map<string, string | undefined>([...stock.product].map(([id, known]) => [id, known.id]));
  const reach = { products, addresses: new Set(stock.customer.keys()) };
  for (const kind of importKinds)
    for (const item of shop.items) if (item.kind === kind) place(plan, item, { stock, reach });
  return plan;
}

function place(plan: ImportPlan, item: ShopItem, { stock, reach }: { stock: Stock; reach: Reach }): void {
  const { products: referred = [] } = item;
  const there = referred.filter((id) => reach.products.has(id));
  const missing = referred.filter((id) => !reach.products.has(id));
  const reason = reasonToLeaveOut(item, { there, missing, addresses: reach.addresses });
  if (reason) {
    plan.leftOut.push(remarkOn(item, reason));
    return;
  }
  if (missing.length > 0) plan.notes.push(remarkOn(item, `is not for ${missing.join(', ')}: not imported.`));
  const object = findKnown(stock, item, reach.products.get(there[0] ?? ''));
  if (object) {
    plan.known.push({ item, object });
    if (item.isEnded && !object.isEnded) plan.ending.push({ item, object });
  } else if (isTwin(item, reach))
    plan.notes.push(remarkOn(item, 'has the address of another customer, so both are one customer here.'));
  else plan.fresh.push({ ...item, products: there });
  extend(reach, item, object);
}

/** Whether an earlier item is a customer with the same address. One address is one customer. */
const isTwin = ({ kind, body }: ShopItem, { addresses }: Reach): boolean =>
  kind === 'customer' && addresses.has(addressOf(body['email']));

function extend({ products, addresses }: Reach, { kind, id, body }: ShopItem, object: Known | undefined): void {
  if (kind === 'product') products.set(id, object?.id);
  if (kind === 'customer') addresses.add(addressOf(body['email']));
}

interface Referred {
  there: readonly string[];
  missing: readonly string[];
  addresses: ReadonlySet<string>;
}

/** Why the item is not imported; undefined if it is. */
function reasonToLeaveOut({ kind, email }: ShopItem, { there, missing, addresses }: Referred): string | undefined {
  if (missing.length > 0 && there.length === 0)
    return kind === 'discount'
      ? `is only for ${missing.join(', ')}: not imported. Without them, it would be for every product.`
      : `its product ${missing.join(', ')} is not imported.`;
  if (email !== undefined && !addresses.has(addressOf(email))) return `no customer has the address ${email}.`;
  return undefined;
}
