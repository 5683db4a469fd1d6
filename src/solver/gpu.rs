//! A graphics processor, by Vulkan: memory of several parts, and launches of a program that works
//! on it. It knows nothing of trials.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::task::{Context, Poll, Waker};

use rayon::iter::ParallelIterator as _;
use rayon::slice::ParallelSlice as _;

use super::Interrupted;
use super::device::{Asked, DeviceError};

/// Invocations of a group, as in the programs.
const GROUP: usize = 64;

/// A device that is ready.
#[derive(Debug)]
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// For messages and manifests.
    name: String,
    limits: Limits,
    /// The first thing that went wrong.
    failure: Arc<Mutex<Option<String>>>,
}

/// What one launch may be at most. No limit has an effect on a result.
#[derive(Debug, Clone, Copy)]
struct Limits {
    steps: u32,
    trials: usize,
    /// Of a part of the memory.
    bytes: u64,
}

/// A stretch between two checkpoints at once: a few milliseconds to a tenth of a second.
const HARDWARE: Limits = Limits {
    steps: 1 << 14,
    trials: 1 << 16,
    bytes: u64::MAX,
};

/// Software devices of Mesa end loops after 65 536 rounds of all together, and are slow: Ctrl-C is
/// to be heard.
const SOFTWARE: Limits = Limits {
    steps: 1 << 11,
    trials: 1 << 8,
    ..HARDWARE
};

/// Words of a trial in each part of the memory.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub board: usize,
    pub draws: usize,
    pub report: usize,
    pub orders: usize,
}

impl Words {
    fn all(self) -> [usize; 4] {
        [self.board, self.draws, self.report, self.orders]
    }
}

/// All words of each part after a launch; those of number i of all trials, then of the next.
#[derive(Debug)]
pub struct Results {
    pub boards: Vec<u32>,
    pub draws: Vec<u32>,
    pub reports: Vec<u32>,
}

impl Gpu {
    /// The device that was asked for.
    ///
    /// # Errors
    /// There is none of this kind, with those that there are, or it cannot be used.
    pub fn open(asked: &Asked) -> Result<Self, DeviceError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::VULKAN,
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapters = ready(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let infos: Vec<wgpu::AdapterInfo> = adapters.iter().map(|it| it.get_info()).collect();
        let found = || infos.iter().map(described).collect();
        let number = choose(asked, &infos).ok_or_else(|| DeviceError::NotFound {
            asked: asked.to_string(),
            found: found(),
        })?;
        let (adapter, info) = (&adapters[number], &infos[number]);
        let unusable = |reason: String| DeviceError::Unusable {
            device: info.name.clone(),
            reason,
        };
        let limits = adapter.limits();
        let request = ready(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: limits.clone(),
            ..Default::default()
        }));
        let (device, queue) = request.map_err(|error| unusable(error.to_string()))?;
        let failure = Arc::new(Mutex::new(None));
        let (on_error, on_loss) = (Arc::clone(&failure), Arc::clone(&failure));
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            note(&on_error, error.to_string());
        }));
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                note(&on_loss, format!("the device is lost: {message}"));
            }
        });
        let most = match info.device_type {
            wgpu::DeviceType::Cpu => SOFTWARE,
            _ => HARDWARE,
        };
        let bytes = limits.max_storage_buffer_binding_size;
        Ok(Self {
            device,
            queue,
            name: described(info),
            limits: Limits {
                bytes: bytes.min(limits.max_buffer_size),
                ..most
            },
            failure,
        })
    }

    /// The device's name, its kind and its driver.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What went wrong, if anything has.
    pub fn failure(&self) -> Option<String> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone()
    }

    /// Takes note of what went wrong, which stops the run.
    pub fn fail(&self, reason: String) -> Interrupted {
        note(&self.failure, reason);
        Interrupted
    }

    /// The same with launches of so many steps, of so many trials, at most.
    #[cfg(test)]
    pub fn limited(mut self, steps: u32, trials: usize) -> Self {
        (self.limits.steps, self.limits.trials) = (steps, trials);
        self
    }

    /// Trials of a launch, at most, however small they are.
    pub fn seats(&self) -> usize {
        self.limits.trials
    }

    /// Steps of a launch, at most.
    pub fn most_steps(&self) -> u32 {
        self.limits.steps
    }

    /// Trials of a launch, at most: as many as the memory takes.
    pub fn most_trials(&self, words: Words) -> usize {
        let most = words.all().into_iter().max().unwrap_or(1) as u64;
        let fit = usize::try_from(self.limits.bytes / (4 * most)).unwrap_or(usize::MAX);
        self.limits.trials.min(fit).max(1)
    }

    /// Memory for so many trials, and the program that works on it.
    ///
    /// # Errors
    /// The device has no such memory, or cannot compile the program.
    pub fn memory(&self, text: &str, words: Words, trials: usize) -> Result<Memory<'_>, String> {
        let device = &self.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            cache: None,
        });
        self.still_well()?;
        let sizes = words.all().map(|words| (4 * words * trials) as u64);
        let part = |size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let parts = sizes.map(|size| part(size, usage));
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let copies = [sizes[0], sizes[1], sizes[2]].map(|size| part(size, usage));
        let entries: Vec<wgpu::BindGroupEntry> = (0..)
            .zip(&parts)
            .map(|(binding, part)| wgpu::BindGroupEntry {
                binding,
                resource: part.as_entire_binding(),
            })
            .collect();
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        self.still_well()?;
        Ok(Memory {
            gpu: self,
            pipeline,
            bindings,
            parts,
            copies,
            groups: trials.div_ceil(GROUP),
        })
    }

    fn still_well(&self) -> Result<(), String> {
        self.failure().map_or(Ok(()), Err)
    }
}

/// The memory of some trials, and the program that works on it.
#[derive(Debug)]
pub struct Memory<'a> {
    gpu: &'a Gpu,
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    /// Boards, draws, reports and orders.
    parts: [wgpu::Buffer; 4],
    /// Of the first three, where the host can read.
    copies: [wgpu::Buffer; 3],
    groups: usize,
}

impl Memory<'_> {
    /// Writes the orders, and boards where they are given; runs the program once for each trial;
    /// and reads the rest, on all threads of the present Rayon pool.
    ///
    /// # Errors
    /// What the device reports.
    pub fn launch(&mut self, boards: Option<&[u32]>, orders: &[u32]) -> Result<Results, String> {
        let Gpu { device, queue, .. } = self.gpu;
        if let Some(boards) = boards {
            queue.write_buffer(&self.parts[0], 0, &bytes(boards));
        }
        queue.write_buffer(&self.parts[3], 0, &bytes(orders));
        let mut commands = device.create_command_encoder(&Default::default());
        {
            let mut pass = commands.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.bindings, &[]);
            let [across, down] = grid(self.groups);
            pass.dispatch_workgroups(across, down, 1);
        }
        for (part, copy) in self.parts.iter().zip(&self.copies) {
            commands.copy_buffer_to_buffer(part, 0, copy, 0, copy.size());
        }
        queue.submit([commands.finish()]);
        let [boards, draws, reports] = self.read()?;
        Ok(Results {
            boards,
            draws,
            reports,
        })
    }

    fn read(&self) -> Result<[Vec<u32>; 3], String> {
        let (sender, receiver) = mpsc::channel();
        for copy in &self.copies {
            let sender = sender.clone();
            // A receiver that is gone has failed already.
            copy.map_async(wgpu::MapMode::Read, .., move |mapped| {
                let _ = sender.send(mapped);
            });
        }
        let polled = self.gpu.device.poll(wgpu::PollType::wait_indefinitely());
        polled.map_err(|error| error.to_string())?;
        for _ in &self.copies {
            let mapped = receiver.try_recv().map_err(|error| error.to_string())?;
            mapped.map_err(|error| error.to_string())?;
        }
        self.gpu.still_well()?;
        let mut parts = [const { Vec::new() }; 3];
        for (words, copy) in parts.iter_mut().zip(&self.copies) {
            let view = copy
                .get_mapped_range(..)
                .map_err(|error| error.to_string())?;
            let four = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            *words = view.par_chunks_exact(4).map(four).collect();
            drop(view);
            copy.unmap();
        }
        Ok(parts)
    }
}

/// The groups in two dimensions, each of which takes 65 535 at most.
fn grid(groups: usize) -> [u32; 2] {
    const MOST: usize = 65_535;
    let down = groups.div_ceil(MOST);
    [groups.div_ceil(down) as u32, down as u32]
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Keeps the first reason.
fn note(failure: &Mutex<Option<String>>, reason: String) {
    let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
    failure.get_or_insert(reason);
}

/// The number of the device that was asked for.
fn choose(asked: &Asked, infos: &[wgpu::AdapterInfo]) -> Option<usize> {
    use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu, VirtualGpu};
    let first = |kind| infos.iter().position(|info| info.device_type == kind);
    match asked {
        Asked::Hardware => [DiscreteGpu, IntegratedGpu, VirtualGpu]
            .into_iter()
            .find_map(first),
        Asked::Software => first(Cpu),
        Asked::Named(name) => {
            let name = name.to_lowercase();
            let is_meant = |info: &wgpu::AdapterInfo| info.name.to_lowercase().contains(&name);
            infos.iter().position(is_meant)
        }
    }
}

fn described(info: &wgpu::AdapterInfo) -> String {
    let kind = match info.device_type {
        wgpu::DeviceType::Cpu => "software",
        _ => "hardware",
    };
    format!(
        "{} ({kind}, {} {})",
        info.name, info.driver, info.driver_info
    )
}

/// What a future comes to whose work is done when it is first asked, as all of them are here.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let (mut future, mut context) = (pin!(future), Context::from_waker(Waker::noop()));
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::yield_now(),
        }
    }
}
