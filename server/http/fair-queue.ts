import { AppError } from '#server/http/errors.ts'

/** A member's id; null for the site itself, which has no limit of its own. */
export type Uploader = number | null

export interface ImageQueueOptions {
  /** Images that are processed at a time, at most one of them large. */
  concurrency: number
  maxWaiting: number
}

interface Task {
  uploader: Uploader
  isLarge: boolean
  start: () => void
}

const MAX_PER_MEMBER = 4

const busy = () =>
  new AppError('busy', 503, 'Many images are being uploaded right now. Please try again in a moment.', {
    retryAfter: 5,
  })
const tooManyImages = () =>
  new AppError('too_many_images', 429, 'Your other images are still being processed. Please try again in a moment.', {
    retryAfter: 5,
  })

/** One image per member at a time, and one large image at a time, so that small ones wait only for small ones. */
export class ImageQueue {
  readonly #options: ImageQueueOptions
  #waiting: Task[] = []
  readonly #running = new Set<Task>()

  constructor(options: ImageQueueOptions) {
    this.#options = options
  }

  /** Throws AppError `busy` if the queue is full, or `too_many_images` if the member's part of it is. */
  requireCapacity(uploader: Uploader): void {
    const tasks = [...this.#running, ...this.#waiting]
    if (uploader !== null && tasks.filter((task) => task.uploader === uploader).length >= MAX_PER_MEMBER) {
      throw tooManyImages()
    }
    if (tasks.length >= this.#options.concurrency + this.#options.maxWaiting) throw busy()
  }

  /** Runs `work` when it is its turn. Throws what `requireCapacity` and `work` throw. */
  async run<T>({ uploader, isLarge }: Pick<Task, 'uploader' | 'isLarge'>, work: () => Promise<T>): Promise<T> {
    this.requireCapacity(uploader)
    const turn = Promise.withResolvers<void>()
    const task = { uploader, isLarge, start: turn.resolve }
    this.#waiting.push(task)
    this.#startNext()
    await turn.promise
    try {
      return await work()
    } finally {
      this.#running.delete(task)
      const isOther = (other: Task) => uploader === null || other.uploader !== uploader
      this.#waiting = [...this.#waiting.filter(isOther), ...this.#waiting.filter((other) => !isOther(other))]
      this.#startNext()
    }
  }

  #startNext(): void {
    while (this.#running.size < this.#options.concurrency) {
      const next = this.#waiting.find((task) => this.#mayStart(task))
      if (!next) return
      this.#waiting = this.#waiting.filter((task) => task !== next)
      this.#running.add(next)
      next.start()
    }
  }

  #mayStart({ uploader, isLarge }: Task): boolean {
    const running = [...this.#running]
    if (isLarge && running.some((task) => task.isLarge)) return false
    return uploader === null || running.every((task) => task.uploader !== uploader)
  }
}
