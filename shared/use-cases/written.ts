/** A row as the table has it once it has been written. */
export const written = <Row extends { version: number }>(row: Row): Row => ({ ...row, version: row.version + 1 });
