const DATABASE = 'drafts'
const STORE = 'drafts'

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('No storage.')))
    request.addEventListener('blocked', () => reject(new Error('Storage is blocked.')))
  }).catch((error: unknown) => {
    // Asked for again the next time.
    opened = undefined
    throw error
  })
  return opened
}

/** Within one transaction, so that what belongs together is kept together. */
async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction(STORE, mode)
  const request = act(transaction.objectStore(STORE))
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('Not kept.')))
    transaction.addEventListener('error', () => reject(transaction.error ?? new Error('Not kept.')))
  })
}

/** What was kept in this browser under a name. Files are kept as they are. */
export const readDraft = (name: string): Promise<unknown> => run<unknown>('readonly', (store) => store.get(name))

export const writeDraft = (name: string, draft: unknown): Promise<unknown> =>
  run('readwrite', (store) => store.put(draft, name))

export const removeDraft = (name: string): Promise<unknown> => run('readwrite', (store) => store.delete(name))
