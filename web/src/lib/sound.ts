import type { Effect } from './stage';

let context: AudioContext | null = null;

/** A short burst of noise that fades, deeper for what is worse. */
function burst(audio: AudioContext, seconds: number, pitch: number, loud: number): void {
  const length = Math.round(audio.sampleRate * seconds);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let at = 0; at < length; at++) data[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 2;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const gain = audio.createGain();
  source.buffer = buffer;
  filter.type = 'lowpass';
  filter.frequency.value = pitch;
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start();
}

/** Plays what happens in a beat; a browser without sound stays silent. */
export function playEffect(effect: Effect | null, fires: boolean): void {
  try {
    context ??= new AudioContext();
    if (fires) burst(context, 0.18, 1400, 0.16);
    if (effect === 'hit') burst(context, 0.45, 520, 0.3);
    if (effect === 'lost') burst(context, 1.1, 240, 0.42);
  } catch {
    /* Sound is an extra. */
  }
}
