const sound = await Tone.Offline(() => {
  new Tone.Synth().toDestination().triggerAttackRelease('C4', 0.1)
}, 0.2)
document.getElementById('seen').textContent = sound.getChannelData(0).some((sample) => Math.abs(sample) > 0.01) ? 'heard' : 'silent'
