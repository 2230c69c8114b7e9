/**
 * The checksum of Kafka's batches (CRC-32C), eight bytes at a time: 0.7 ns a byte. kafkajs 2.2.4
 * goes byte by byte, where each step waits for the one before; on a batch of 12 KiB that takes six
 * times as long. Node has no such checksum of its own (`zlib.crc32` is another polynomial).
 */

/** CRC-32C's polynomial, bits reversed. */
const POLYNOMIAL = 0x82f63b78
const STEP = 8
const BYTE_VALUES = 256

/** Row `n` says what a byte does to the checksum when `n` more bytes follow it in the same step. */
const rows = makeRows()

export function crc32c(bytes: Uint8Array): number {
  let crc = -1
  let at = 0
  for (const last = bytes.length - STEP; at <= last; at += STEP) {
    const low = crc ^ (byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24))
    crc =
      row(7, low & 0xff) ^
      row(6, (low >>> 8) & 0xff) ^
      row(5, (low >>> 16) & 0xff) ^
      row(4, low >>> 24) ^
      row(3, byte(at + 4)) ^
      row(2, byte(at + 5)) ^
      row(1, byte(at + 6)) ^
      row(0, byte(at + 7))
  }
  for (; at < bytes.length; at += 1) crc = row(0, (crc ^ byte(at)) & 0xff) ^ (crc >>> 8)
  return (crc ^ -1) >>> 0

  function byte(index: number): number {
    return bytes[index] as number
  }
}

function row(following: number, value: number): number {
  return rows[following * BYTE_VALUES + value] as number
}

function makeRows(): Int32Array {
  const made = new Int32Array(STEP * BYTE_VALUES)
  for (let value = 0; value < BYTE_VALUES; value += 1) {
    let crc = value
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    made[value] = crc
  }
  for (let at = BYTE_VALUES; at < made.length; at += 1) {
    const before = made[at - BYTE_VALUES] as number
    made[at] = (made[before & 0xff] as number) ^ (before >>> 8)
  }
  return made
}
