/** A setting that stops the start; its message is one sentence for the person who starts the server. */
export class SettingError extends Error {
  override name = 'SettingError'
  readonly setting: string

  constructor(setting: string, sentence: string) {
    super(`${setting} ${sentence}`)
    this.setting = setting
  }
}
