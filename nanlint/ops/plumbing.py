"""What the tables know by name and say nothing about: optimisers, loaders, devices, scripting, distributions ...

A call of one gives Unknown, as a call of something that is not known does; the census tells them apart.
"""

from __future__ import annotations

from nanlint.ops.images import fixed, unknown
from nanlint.ops.spec import Op

LIB = "torch"


def _silent(name: str, note: str) -> Op:
    """A family that says nothing: no image, no break."""
    return Op(name, unknown, terms="opaque", ground="opaque", dtype="same", count="any", returns="unknown", lead="args", opaque=True, note=note)


ROWS: tuple[Op, ...] = (
    Op("predicate", fixed(0, 1), terms="opaque", gradient="stops", ground="config", dtype="pybool", count="one", returns="number", lead="args",
       note="true or false of the run, not of its numbers"),
    Op("world_size", fixed(1, 2.0**31), terms="opaque", gradient="stops", ground="config", dtype="pyint", count="one", returns="number", lead="group"),
    _silent("optimiser", "an object: its steps change parameters in place"),
    _silent("scheduler", "an object: its steps change learning rates"),
    _silent("distribution", "an object: its log_prob and its samples are not followed"),
    _silent("data_tool", "datasets, samplers and loaders"),
    _silent("distributed_tool", "processes and what they send each other"),
    _silent("device_tool", "devices, streams and memory"),
    _silent("compiler_tool", "scripting, tracing, exporting"),
    _silent("file_tool", "tensors and modules from elsewhere"),
    _silent("switch", "switches: gradients, autocast, random state, threads"),
    _silent("type_tool", "devices, dtypes, sizes, assertions"),
    _silent("function_tool", "functions of functions, wrapped modules, packed sequences"),
    _silent("tensor_lists", "one op on each tensor of a list"),
    _silent("matrix_tool", "factors and solutions whose domain is not stated"),
    _silent("complex_tool", "complex numbers, their parts and transforms"),
    _silent("special_function", "functions whose image and breaks are not stated"),
)

TABLE = """
predicate(*args)
    .is_complex .is_contiguous
    torch.is_tensor torch.is_complex torch.is_storage torch.is_nonzero torch.is_conj torch.is_neg torch.can_cast torch.is_grad_enabled
    torch.is_inference_mode_enabled torch.is_autocast_enabled torch.is_autocast_cpu_enabled torch.are_deterministic_algorithms_enabled
    torch.onnx.is_in_onnx_export torch.cuda.is_available torch.cuda.is_initialized torch.cuda.is_current_stream_capturing
    torch.cuda.is_bf16_supported torch.backends.mps.is_available torch.backends.mps.is_built torch.backends.mkldnn.is_available
    torch.backends.cudnn.is_available torch.distributed.is_available torch.distributed.is_initialized
    torch.distributed.is_nccl_available torch.distributed.is_gloo_available torch.distributed.is_mpi_available
    torch.compiler.is_compiling torch.compiler.is_dynamo_compiling torch.compiler.is_exporting torch._dynamo.is_compiling
    torch.amp.is_autocast_available torch.jit.is_scripting torch.jit.is_tracing

world_size(group=None)   torch.distributed.get_world_size

optimiser(*args)
    torch.optim.ASGD torch.optim.Adadelta torch.optim.Adafactor torch.optim.Adagrad torch.optim.Adam torch.optim.AdamW
    torch.optim.Adamax torch.optim.LBFGS torch.optim.Muon torch.optim.NAdam torch.optim.Optimizer torch.optim.RAdam
    torch.optim.RMSprop torch.optim.Rprop torch.optim.SGD torch.optim.SparseAdam torch.optim.swap_in_optimizer_params_and_state

scheduler(*args)
    torch.optim.lr_scheduler.ChainedScheduler torch.optim.lr_scheduler.ConstantLR torch.optim.lr_scheduler.CosineAnnealingLR
    torch.optim.lr_scheduler.CosineAnnealingWarmRestarts torch.optim.lr_scheduler.CyclicLR torch.optim.lr_scheduler.ExponentialLR
    torch.optim.lr_scheduler.LRScheduler torch.optim.lr_scheduler.LambdaLR torch.optim.lr_scheduler.LinearLR
    torch.optim.lr_scheduler.MultiStepLR torch.optim.lr_scheduler.MultiplicativeLR torch.optim.lr_scheduler.OneCycleLR
    torch.optim.lr_scheduler.PolynomialLR torch.optim.lr_scheduler.ReduceLROnPlateau torch.optim.lr_scheduler.SequentialLR
    torch.optim.lr_scheduler.StepLR torch.optim.swa_utils.AveragedModel torch.optim.swa_utils.SWALR torch.optim.swa_utils.update_bn

distribution(*args)
    torch.distributions.AbsTransform torch.distributions.AffineTransform torch.distributions.Bernoulli torch.distributions.Beta
    torch.distributions.Binomial torch.distributions.CatTransform torch.distributions.Categorical torch.distributions.Cauchy
    torch.distributions.Chi2 torch.distributions.ComposeTransform torch.distributions.ContinuousBernoulli
    torch.distributions.CorrCholeskyTransform torch.distributions.CumulativeDistributionTransform torch.distributions.Dirichlet
    torch.distributions.Distribution torch.distributions.ExpTransform torch.distributions.Exponential
    torch.distributions.ExponentialFamily torch.distributions.FisherSnedecor torch.distributions.Gamma
    torch.distributions.GeneralizedPareto torch.distributions.Geometric torch.distributions.Gumbel torch.distributions.HalfCauchy
    torch.distributions.HalfNormal torch.distributions.Independent torch.distributions.IndependentTransform
    torch.distributions.InverseGamma torch.distributions.Kumaraswamy torch.distributions.LKJCholesky torch.distributions.Laplace
    torch.distributions.LogNormal torch.distributions.LogisticNormal torch.distributions.LowRankMultivariateNormal
    torch.distributions.LowerCholeskyTransform torch.distributions.MixtureSameFamily torch.distributions.Multinomial
    torch.distributions.MultivariateNormal torch.distributions.NegativeBinomial torch.distributions.Normal
    torch.distributions.OneHotCategorical torch.distributions.OneHotCategoricalStraightThrough torch.distributions.Pareto
    torch.distributions.Poisson torch.distributions.PositiveDefiniteTransform torch.distributions.PowerTransform
    torch.distributions.RelaxedBernoulli torch.distributions.RelaxedOneHotCategorical torch.distributions.ReshapeTransform
    torch.distributions.SigmoidTransform torch.distributions.SoftmaxTransform torch.distributions.SoftplusTransform
    torch.distributions.StackTransform torch.distributions.StickBreakingTransform torch.distributions.StudentT
    torch.distributions.TanhTransform torch.distributions.Transform torch.distributions.TransformedDistribution
    torch.distributions.Uniform torch.distributions.VonMises torch.distributions.Weibull torch.distributions.Wishart
    torch.distributions.biject_to torch.distributions.identity_transform torch.distributions.kl_divergence
    torch.distributions.register_kl torch.distributions.transform_to torch.distributions.normal.Normal
    torch.distributions.categorical.Categorical torch.distributions.multivariate_normal.MultivariateNormal

data_tool(*args)
    torch.utils.data.BatchSampler torch.utils.data.ChainDataset torch.utils.data.ConcatDataset torch.utils.data.DFIterDataPipe
    torch.utils.data.DataChunk torch.utils.data.DataLoader torch.utils.data.Dataset torch.utils.data.DistributedSampler
    torch.utils.data.IterDataPipe torch.utils.data.IterableDataset torch.utils.data.MapDataPipe torch.utils.data.RandomSampler
    torch.utils.data.Sampler torch.utils.data.SequentialSampler torch.utils.data.StackDataset torch.utils.data.Subset
    torch.utils.data.SubsetRandomSampler torch.utils.data.TensorDataset torch.utils.data.WeightedRandomSampler
    torch.utils.data._DatasetKind torch.utils.data.argument_validation torch.utils.data.default_collate
    torch.utils.data.default_convert torch.utils.data.functional_datapipe torch.utils.data.get_worker_info
    torch.utils.data.guaranteed_datapipes_determinism torch.utils.data.non_deterministic torch.utils.data.random_split
    torch.utils.data.runtime_validation torch.utils.data.runtime_validation_disabled torch.utils.data.distributed.DistributedSampler
    torch.utils.data.dataloader.default_collate

distributed_tool(*args)
    torch.distributed.AllToAllOptions torch.distributed.AllreduceCoalescedOptions torch.distributed.AllreduceOptions
    torch.distributed.Backend torch.distributed.BackendConfig torch.distributed.BarrierOptions torch.distributed.BroadcastOptions
    torch.distributed.BuiltinCommHookType torch.distributed.DebugLevel torch.distributed.DeviceMesh torch.distributed.DistBackendError
    torch.distributed.DistError torch.distributed.DistNetworkError torch.distributed.DistStoreError torch.distributed.FileStore
    torch.distributed.GatherOptions torch.distributed.GradBucket torch.distributed.GroupMember torch.distributed.GroupName
    torch.distributed.HashStore torch.distributed.Logger torch.distributed.P2POp torch.distributed.PrefixStore
    torch.distributed.ProcessGroup torch.distributed.ProcessGroupGloo torch.distributed.QueueEmptyError torch.distributed.ReduceOp
    torch.distributed.ReduceOptions torch.distributed.ReduceScatterOptions torch.distributed.Reducer torch.distributed.ScatterOptions
    torch.distributed.Store torch.distributed.TCPStore torch.distributed.Work torch.distributed.all_gather
    torch.distributed.all_gather_coalesced torch.distributed.all_gather_into_tensor torch.distributed.all_gather_object
    torch.distributed.all_gather_single torch.distributed.all_reduce torch.distributed.all_reduce_coalesced
    torch.distributed.all_to_all torch.distributed.all_to_all_single torch.distributed.barrier torch.distributed.batch_isend_irecv
    torch.distributed.breakpoint torch.distributed.broadcast torch.distributed.broadcast_object_list
    torch.distributed.destroy_process_group torch.distributed.gather torch.distributed.gather_object torch.distributed.get_backend
    torch.distributed.get_backend_config torch.distributed.get_debug_level torch.distributed.get_default_backend_for_device
    torch.distributed.get_global_rank torch.distributed.get_group_rank torch.distributed.get_node_local_rank
    torch.distributed.get_pg_count torch.distributed.get_process_group_ranks torch.distributed.get_rank
    torch.distributed.group torch.distributed.init_device_mesh torch.distributed.init_process_group
    torch.distributed.irecv torch.distributed.is_backend_available

    torch.distributed.is_torchelastic_launched torch.distributed.is_ucc_available torch.distributed.is_xccl_available
    torch.distributed.isend torch.distributed.monitored_barrier torch.distributed.new_group torch.distributed.new_subgroups
    torch.distributed.new_subgroups_by_enumeration torch.distributed.record_comm torch.distributed.recv
    torch.distributed.recv_object_list torch.distributed.reduce torch.distributed.reduce_scatter
    torch.distributed.reduce_scatter_single torch.distributed.reduce_scatter_tensor torch.distributed.register_rendezvous_handler
    torch.distributed.rendezvous torch.distributed.scatter torch.distributed.scatter_object_list torch.distributed.send
    torch.distributed.send_object_list torch.distributed.set_debug_level torch.distributed.set_debug_level_from_env
    torch.distributed.shrink_group torch.distributed.split_group torch.distributed.supports_complex
    torch.nn.parallel.DistributedDataParallel torch.nn.DataParallel torch.nn.parallel.DataParallel

device_tool(*args)
    torch.cuda.BFloat16Storage torch.cuda.BFloat16Tensor torch.cuda.BoolStorage torch.cuda.BoolTensor torch.cuda.ByteStorage
    torch.cuda.ByteTensor torch.cuda.CUDAGraph torch.cuda.CUDAPluggableAllocator torch.cuda.CharStorage torch.cuda.CharTensor
    torch.cuda.ComplexDoubleStorage torch.cuda.ComplexFloatStorage torch.cuda.CudaError torch.cuda.DeferredCudaCallError
    torch.cuda.DoubleStorage torch.cuda.DoubleTensor torch.cuda.Event torch.cuda.ExternalStream torch.cuda.FloatStorage
    torch.cuda.FloatTensor torch.cuda.GreenContext torch.cuda.HalfStorage torch.cuda.HalfTensor torch.cuda.IntStorage
    torch.cuda.IntTensor torch.cuda.LongStorage torch.cuda.LongTensor torch.cuda.MemPool torch.cuda.ShortStorage
    torch.cuda.ShortTensor torch.cuda.Stream torch.cuda.StreamContext torch.cuda.caching_allocator_alloc
    torch.cuda.caching_allocator_delete torch.cuda.caching_allocator_disabled torch.cuda.caching_allocator_enable
    torch.cuda.can_device_access_peer torch.cuda.change_current_allocator torch.cuda.check_error torch.cuda.clock_rate
    torch.cuda.cudaStatus torch.cuda.cudart torch.cuda.current_blas_handle torch.cuda.current_device torch.cuda.current_solver_handle
    torch.cuda.current_stream torch.cuda.default_stream torch.cuda.device torch.cuda.device_count torch.cuda.device_memory_used
    torch.cuda.device_of torch.cuda.empty_cache torch.cuda.get_allocator_backend torch.cuda.get_arch_list
    torch.cuda.get_device_capability torch.cuda.get_device_name torch.cuda.get_device_properties torch.cuda.get_gencode_flags
    torch.cuda.get_per_process_memory_fraction torch.cuda.get_rng_state torch.cuda.get_rng_state_all
    torch.cuda.get_stream_from_external torch.cuda.get_sync_debug_mode torch.cuda.graph torch.cuda.graph_pool_handle
    torch.cuda.host_memory_stats torch.cuda.host_memory_stats_as_nested_dict torch.cuda.init torch.cuda.initial_seed
    torch.cuda.ipc_collect
     torch.cuda.is_tf32_supported torch.cuda.list_gpu_processes torch.cuda.make_graphed_callables
    torch.cuda.max_memory_allocated torch.cuda.max_memory_cached torch.cuda.max_memory_reserved torch.cuda.mem_get_info
    torch.cuda.memory_allocated torch.cuda.memory_cached torch.cuda.memory_reserved torch.cuda.memory_snapshot torch.cuda.memory_stats
    torch.cuda.memory_stats_as_nested_dict torch.cuda.memory_summary torch.cuda.memory_usage torch.cuda.power_draw
    torch.cuda.reset_accumulated_host_memory_stats torch.cuda.reset_accumulated_memory_stats torch.cuda.reset_max_memory_allocated
    torch.cuda.reset_max_memory_cached torch.cuda.reset_peak_host_memory_stats torch.cuda.reset_peak_memory_stats torch.cuda.seed
    torch.cuda.seed_all torch.cuda.set_device torch.cuda.set_per_process_memory_fraction torch.cuda.set_rng_state
    torch.cuda.set_rng_state_all torch.cuda.set_stream torch.cuda.set_sync_debug_mode torch.cuda.stream torch.cuda.synchronize
    torch.cuda.temperature torch.cuda.use_mem_pool torch.cuda.utilization
      torch.backends.cuda.enable_flash_sdp


compiler_tool(*args)
    torch.jit.Attribute torch.jit.CompilationUnit torch.jit.Error torch.jit.Future torch.jit.ScriptFunction torch.jit.ScriptModule
    torch.jit.annotate torch.jit.enable_onednn_fusion torch.jit.export torch.jit.export_opnames torch.jit.fork torch.jit.freeze
    torch.jit.ignore torch.jit.interface torch.jit.isinstance torch.jit.load torch.jit.onednn_fusion_enabled
    torch.jit.optimize_for_inference torch.jit.save torch.jit.script torch.jit.script_if_tracing torch.jit.set_fusion_strategy
    torch.jit.strict_fusion torch.jit.trace torch.jit.trace_module torch.jit.unused torch.jit.wait torch.compiler.allow_in_graph
    torch.compiler.assume_constant_result torch.compiler.compile torch.compiler.cudagraph_mark_step_begin torch.compiler.disable
    torch.compiler.get_default_backend
    torch.compiler.keep_portable_guards_unsafe torch.compiler.keep_tensor_guards_unsafe torch.compiler.list_backends
    torch.compiler.load_cache_artifacts torch.compiler.load_compiled_function torch.compiler.nested_compile_region
    torch.compiler.reset torch.compiler.save_cache_artifacts torch.compiler.set_default_backend
    torch.compiler.set_enable_guard_collectives torch.compiler.set_stance torch.compiler.skip_all_guards_unsafe
    torch.compiler.skip_guard_on_all_nn_modules_unsafe torch.compiler.skip_guard_on_globals_unsafe
    torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe torch.compiler.substitute_in_graph torch.compiler.wrap_numpy torch.compile
    torch.onnx.export torch._dynamo.mark_dynamic torch._dynamo.reset
    torch._dynamo.optimize torch._C._jit_set_profiling_executor torch._C._jit_set_profiling_mode
    torch._C._jit_override_can_fuse_on_gpu torch._C._jit_override_can_fuse_on_cpu torch._C._jit_set_texpr_fuser_enabled
    torch.fx.Tracer torch.fx.GraphModule torch.fx.symbolic_trace torch.fx.wrap

file_tool(*args)
    torch.load torch.save torch.hub.load_state_dict_from_url torch.hub.get_dir torch.hub.download_url_to_file torch.hub.load
    torch.hub.set_dir torch.serialization.safe_globals torch.serialization.add_safe_globals torch.from_dlpack
    torch.utils.dlpack.from_dlpack torch.utils.dlpack.to_dlpack torch.frombuffer torch.from_file

switch(*args)
    torch.no_grad torch.enable_grad torch.inference_mode torch.set_grad_enabled
    torch.autocast torch.amp.autocast torch.amp.GradScaler torch.cuda.amp.GradScaler torch.sparse_coo_tensor torch.amp.custom_fwd torch.amp.custom_bwd
     torch.get_autocast_dtype torch.get_autocast_gpu_dtype torch.get_autocast_cpu_dtype
     torch.set_autocast_enabled torch.clear_autocast_cache torch.autograd.set_detect_anomaly
    torch.autograd.detect_anomaly torch.autograd.set_grad_enabled torch.random.fork_rng torch.get_rng_state torch.set_rng_state
    torch.random.get_rng_state torch.random.set_rng_state torch.initial_seed torch.seed torch.random.manual_seed torch.Generator
    torch.use_deterministic_algorithms torch.set_float32_matmul_precision
    torch.get_float32_matmul_precision torch.set_num_threads torch.get_num_threads torch.set_num_interop_threads
    torch.get_num_interop_threads torch.set_default_dtype torch.get_default_dtype torch.set_default_device torch.get_default_device
    torch.set_default_tensor_type torch.set_printoptions torch.set_warn_always torch.set_flush_denormal

type_tool(*args)
    .stride .element_size .data_ptr
    torch.device torch.Size torch.dtype torch.promote_types torch.result_type
        torch.broadcast_shapes torch.typename torch.iinfo
    torch._shape_as_tensor torch._assert torch._assert_async torch._check torch.sym_int torch.sym_max torch.sym_min torch.sym_not
    torch.sym_float torch.nn.modules.utils._pair torch.nn.modules.utils._single torch.nn.modules.utils._triple
    torch.nn.modules.utils._ntuple torch.nn.init.calculate_gain torch.nn.init._calculate_fan_in_and_fan_out
    torch.nn.init._calculate_correct_fan

function_tool(*args)
    torch.autograd.grad torch.autograd.backward torch.autograd.gradcheck torch.autograd.gradgradcheck
    torch.autograd.functional.jacobian torch.autograd.functional.hessian torch.autograd.functional.jvp torch.autograd.functional.vjp
    torch.autograd.functional.hvp torch.autograd.forward_ad.unpack_dual torch.autograd.forward_ad.make_dual
    torch.autograd.functional.vhp torch.func.functional_call torch.func.grad torch.func.grad_and_value
    torch.func.vmap torch.func.jacrev torch.func.jacfwd torch.func.hessian torch.func.jvp torch.func.vjp torch.func.stack_module_state
    torch.vmap torch.while_loop torch.cond torch.utils.checkpoint.checkpoint torch.utils.checkpoint.checkpoint_sequential
    torch.nn.utils.weight_norm torch.nn.utils.spectral_norm torch.nn.utils.remove_weight_norm torch.nn.utils.remove_spectral_norm
    torch.nn.utils.parametrizations.weight_norm torch.nn.utils.parametrizations.spectral_norm
    torch.nn.utils.parametrizations.orthogonal torch.nn.utils.parametrize.register_parametrization
    torch.nn.utils.parametrize.remove_parametrizations torch.nn.utils.parametrize.is_parametrized
    torch.nn.utils.fusion.fuse_conv_bn_eval torch.nn.utils.fusion.fuse_conv_bn_weights torch.nn.utils.parameters_to_vector
    torch.nn.utils.vector_to_parameters torch.nn.utils.rnn.pack_padded_sequence torch.nn.utils.rnn.pad_packed_sequence
    torch.nn.utils.rnn.pack_sequence torch.nn.utils.rnn.unpad_sequence torch.nn.utils.prune.l1_unstructured
    torch.nn.utils.prune.random_unstructured torch.nn.utils.prune.remove torch.overrides.has_torch_function
    torch.overrides.handle_torch_function torch.nn.Module torch.nn.ModuleDict torch.nn.ParameterDict torch.nn.UninitializedBuffer

tensor_lists(*args)
    torch._foreach_abs torch._foreach_abs_ torch._foreach_acos torch._foreach_acos_ torch._foreach_add torch._foreach_add_
    torch._foreach_addcdiv torch._foreach_addcdiv_ torch._foreach_addcmul torch._foreach_addcmul_ torch._foreach_asin
    torch._foreach_asin_ torch._foreach_atan torch._foreach_atan_ torch._foreach_ceil torch._foreach_ceil_ torch._foreach_clamp_max
    torch._foreach_clamp_max_ torch._foreach_clamp_min torch._foreach_clamp_min_ torch._foreach_clone torch._foreach_copy_
    torch._foreach_cos torch._foreach_cos_ torch._foreach_cosh torch._foreach_cosh_ torch._foreach_div torch._foreach_div_
    torch._foreach_erf torch._foreach_erf_ torch._foreach_erfc torch._foreach_erfc_ torch._foreach_exp torch._foreach_exp_
    torch._foreach_expm1 torch._foreach_expm1_ torch._foreach_floor torch._foreach_floor_ torch._foreach_frac torch._foreach_frac_
    torch._foreach_lerp torch._foreach_lerp_ torch._foreach_lgamma torch._foreach_lgamma_ torch._foreach_log torch._foreach_log10
    torch._foreach_log10_ torch._foreach_log1p torch._foreach_log1p_ torch._foreach_log2 torch._foreach_log2_ torch._foreach_log_
    torch._foreach_max torch._foreach_maximum torch._foreach_maximum_ torch._foreach_minimum torch._foreach_minimum_ torch._foreach_mm
    torch._foreach_mul torch._foreach_mul_ torch._foreach_neg torch._foreach_neg_ torch._foreach_norm torch._foreach_pow
    torch._foreach_pow_ torch._foreach_powsum torch._foreach_reciprocal torch._foreach_reciprocal_ torch._foreach_round
    torch._foreach_round_ torch._foreach_rsqrt torch._foreach_rsqrt_ torch._foreach_sigmoid torch._foreach_sigmoid_
    torch._foreach_sign torch._foreach_sign_ torch._foreach_sin torch._foreach_sin_ torch._foreach_sinh torch._foreach_sinh_
    torch._foreach_sqrt torch._foreach_sqrt_ torch._foreach_sub torch._foreach_sub_ torch._foreach_tan torch._foreach_tan_
    torch._foreach_tanh torch._foreach_tanh_ torch._foreach_trunc torch._foreach_trunc_ torch._foreach_zero_

matrix_tool(*args)
    torch.cholesky_inverse torch.cholesky_solve torch.linalg.cholesky_ex torch.linalg.inv_ex torch.linalg.solve_ex
    torch.linalg.lu_factor torch.linalg.lu_factor_ex torch.linalg.lu_solve torch.linalg.ldl_factor torch.linalg.ldl_solve
    torch.linalg.householder_product torch.linalg.tensorinv torch.linalg.tensorsolve torch.linalg.multi_dot torch.lu_unpack
    torch.lu_solve torch.triangular_solve torch.geqrf torch.ormqr torch.svd_lowrank torch.pca_lowrank torch.lobpcg torch.chain_matmul

complex_tool(*args)
    torch.view_as_real torch.view_as_complex torch.polar torch.istft torch.fft.fft torch.fft.ifft torch.fft.fft2 torch.fft.ifft2
    torch.fft.fftn torch.fft.ifftn torch.fft.rfft torch.fft.irfft torch.fft.rfft2 torch.fft.irfft2 torch.fft.rfftn torch.fft.irfftn
    torch.fft.hfft torch.fft.ihfft torch.fft.fftfreq torch.fft.rfftfreq torch.fft.fftshift torch.fft.ifftshift

special_function(*args)
    .mvlgamma .ldexp torch.masked.softmax
    torch.special.zeta torch.special.gammainc torch.special.gammaincc torch.igamma torch.igammac
    torch.mvlgamma torch.special.multigammaln torch.ldexp torch.frexp torch.nextafter
    torch.gcd torch.lcm torch.special.bessel_j0 torch.special.bessel_j1 torch.special.bessel_y0 torch.special.bessel_y1
"""
