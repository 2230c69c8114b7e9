/** What every service is to the process that runs it: something that starts and stops, in order. */
export interface Service {
  name: string
  start(): Promise<void>
  /**
   * Takes no more work, finishes what is in flight within `timeoutMs`, and leaves. What is not
   * finished then is announced again to whoever takes over: nothing is lost.
   */
  stop(timeoutMs: number): Promise<void>
}

/** A part of `/health`. */
export interface HealthCheck {
  name: string
  check(): Promise<{ ok: boolean; detail: string }>
}
