// Work that is done again while a hand goes on: one at a time, and of those that wait the newest alone.

export class Newest {
  private isUnderWay = false;
  private isAskedAgain = false;

  constructor(private readonly work: () => Promise<void>) {}

  /** Do the work; if it is under way, once more after it. */
  async ask(): Promise<void> {
    this.isAskedAgain = true;
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try {
      while (this.isAskedAgain) {
        this.isAskedAgain = false;
        await this.work();
      }
    } finally {
      this.isUnderWay = false;
    }
  }
}
