/** What we use of linebreak, which has no types of its own. */
declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string);
    /** Where the next line may begin. */
    nextBreak(): { position: number; required: boolean } | null;
  }

  export = LineBreaker;
}
