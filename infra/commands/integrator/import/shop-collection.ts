import {
  type ImportedShop,
  type ImportKind,
  importFaultOf,
  markOf,
  type Remark,
  remarkOn,
  type ShopItem,
} from './shop.ts';

/** Collects the items of the shop. An item that the API would refuse is left out. */
export class ShopCollection {
  readonly shop: ImportedShop;
  readonly #seen = new Set<string>();

  constructor(source: string) {
    this.shop = { source, items: [], leftOut: [], notes: [] };
  }

  /** Whether the item is new. A page may repeat items of the page before, because the list grows at its beginning. */
  isNew(kind: ImportKind, id: string): boolean {
    const name = `${kind} ${id}`;
    return !this.#seen.has(name) && this.#seen.add(name) !== undefined;
  }

  /** Notes a part of an item that is not imported. */
  note(item: Omit<Remark, 'text'>, text: string): void {
    this.shop.notes.push(remarkOn(item, text));
  }

  leaveOut(item: Omit<Remark, 'text'>, reason: string): void {
    this.shop.leftOut.push(remarkOn(item, reason));
  }

  /** Adds an item. A telephone number or metadata that the API would refuse is left away. */
  add(item: ShopItem): void {
    const fault = importFaultOf(item);
    const [field = ''] = fault?.field.split('.') ?? [];
    if (!fault) this.shop.items.push(item);
    else if (field === 'phone_number') this.#addWithout(item, field, undefined, fault.message);
    else if (field === 'metadata' && Object.keys(Object(item.body['metadata'])).length > 2)
      this.#addWithout(item, field, markOf(this.shop.source, item.id), fault.message);
    else this.leaveOut(item, `its ${fault.field} ${fault.message}.`);
  }

  #addWithout(item: ShopItem, field: string, value: unknown, message: string): void {
    this.note(item, `its ${field} is left away: it ${message}.`);
    this.add({ ...item, body: { ...item.body, [field]: value } });
  }
}
