const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w.-]{1,100}$/;

/** Whether a text can be a sort key of a list: an instant and an id. DynamoDB refuses some other texts as keys. */
export const isSortKey = (text: string): boolean => form.test(text) && !Number.isNaN(Date.parse(text.slice(0, 24)));
