/** Where the bytes of images are. Names are hashes with an ending, never anything a visitor made up. */
export interface MediaStore {
  put(name: string, bytes: Buffer): Promise<void>
  get(name: string): Promise<Buffer | undefined>
  remove(name: string): Promise<void>
}
