/**
 * Runs a task for each item, one after the other, also after one has failed: an item that always fails does not stop those
 * behind it. Throws the first error at the end.
 */
export async function runEach<T>(items: Iterable<T>, run: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) {
    try {
      await run(item)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
