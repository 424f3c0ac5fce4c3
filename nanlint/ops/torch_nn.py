"""torch: reductions, linear algebra, losses, layers, shapes, creation, random numbers, and the modules of torch.nn."""

from __future__ import annotations

LIB = "torch"

TABLE = """
# ---- reductions
sum(input, dim=None, keepdim=False, *, dtype=None, out=None)            torch.sum .sum
nansum(input, dim=None, keepdim=False, *, dtype=None, out=None)         torch.nansum .nansum
mean(input, dim=None, keepdim=False, *, dtype=None, out=None)           torch.mean .mean
nanmean(input, dim=None, keepdim=False, *, dtype=None, out=None)        torch.nanmean .nanmean
median(input, dim=None, keepdim=False, *, out=None)                     torch.median .median
nanmedian(input, dim=None, keepdim=False, *, out=None)                  torch.nanmedian .nanmedian
mode(input, dim=-1, keepdim=False, *, out=None)                         torch.mode .mode
quantile(input, q, dim=None, keepdim=False, *, interpolation='linear', out=None)     torch.quantile .quantile
nanquantile(input, q, dim=None, keepdim=False, *, interpolation='linear', out=None)  torch.nanquantile .nanquantile
prod(input, dim=None, keepdim=False, *, dtype=None, out=None)           torch.prod .prod
cumsum(input, dim, *, dtype=None, out=None)                             torch.cumsum .cumsum
cumprod(input, dim, *, dtype=None, out=None)                            torch.cumprod .cumprod
cummax(input, dim, *, out=None)                                         torch.cummax .cummax
cummin(input, dim, *, out=None)                                         torch.cummin .cummin
logcumsumexp(input, dim, *, out=None)                                   torch.logcumsumexp .logcumsumexp
diff(input, n=1, dim=-1, prepend=None, append=None, *, out=None)        torch.diff .diff
trapezoid(input, x=None, *, dx=1, dim=-1)                               torch.trapezoid torch.trapz
std(input, dim=None, unbiased=None, keepdim=False, *, correction=1, out=None)        torch.std .std
var(input, dim=None, unbiased=None, keepdim=False, *, correction=1, out=None)        torch.var .var
std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=1, out=None)   torch.std_mean
var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=1, out=None)   torch.var_mean
amax(input, dim=None, keepdim=False, *, out=None)                       torch.amax .amax
amin(input, dim=None, keepdim=False, *, out=None)                       torch.amin .amin
aminmax(input, *, dim=None, keepdim=False, out=None)                    torch.aminmax .aminmax
maximum(input, other@tensor, *, out=None)                               torch.max .max
max(input, dim=None, keepdim=False, *, out=None)                        torch.max .max
minimum(input, other@tensor, *, out=None)                               torch.min .min
min(input, dim=None, keepdim=False, *, out=None)                        torch.min .min
argmax(input, dim=None, keepdim=False)                                  torch.argmax .argmax
argmin(input, dim=None, keepdim=False)                                  torch.argmin .argmin
any(input, dim=None, keepdim=False, *, out=None)                        torch.any .any
all(input, dim=None, keepdim=False, *, out=None)                        torch.all .all
count_nonzero(input, dim=None)                                          torch.count_nonzero .count_nonzero
logsumexp(input, dim, keepdim=False, *, out=None)                       torch.logsumexp .logsumexp S.logsumexp
softmax(input, dim=None, _stacklevel=3, dtype=None)                     F.softmax
softmax(input, dim, dtype=None, *, out=None)                            torch.softmax .softmax S.softmax
softmax(input) <- (dim=None)                                            nn.Softmax
softmax(input) dim=-3                                                   nn.Softmax2d
softmin(input, dim=None, _stacklevel=3, dtype=None)                     F.softmin
softmin(input) <- (dim=None)                                            nn.Softmin
log_softmax(input, dim=None, _stacklevel=3, dtype=None)                 F.log_softmax
log_softmax(input, dim, dtype=None, *, out=None)                        torch.log_softmax .log_softmax S.log_softmax
log_softmax(input) <- (dim=None)                                        nn.LogSoftmax
gumbel_softmax(logits:input, tau=1, hard=False, eps=1e-10, dim=-1)             F.gumbel_softmax
masked_softmax(input, dim, dtype=None)                                  torch._safe_softmax torch.ops.aten._safe_softmax
numel(input)                                                            torch.numel .numel .nelement
size(input, dim=None)                                                   .size
shape(input)                                                            .shape
len(input)                                                              .__len__
dim(input)                                                              .dim .ndimension .ndim
bincount(input, weights=None, minlength=0)                              torch.bincount .bincount
histogram(input, bins, *, range=None, weight=None, density=False, out=None)  torch.histogram .histogram
histc(input, bins=100, min=0, max=0, *, out=None)                       torch.histc .histc
cov(input, *, correction=1, fweights=None, aweights=None)               torch.cov .cov
corrcoef(input)                                                         torch.corrcoef .corrcoef
# ---- norms and distances
norm(input, p='fro', dim=None, keepdim=False, out=None, dtype=None)     torch.norm torch.functional.norm
norm(input, p='fro', dim=None, keepdim=False, dtype=None)               .norm
norm(input, ord:p=None, dim=None, keepdim=False, *, dtype=None, out=None)       torch.linalg.norm
norm(input, ord:p=2, dim=None, keepdim=False, *, dtype=None, out=None)          torch.linalg.vector_norm
matrix_norm(input, ord:p='fro', dim=(-2,-1), keepdim=False, *, dtype=None, out=None)  torch.linalg.matrix_norm
normalize(input, p=2.0, dim=1, eps=1e-12, out=None)                     F.normalize
cosine_similarity(x1:input, x2:other, dim=1, eps=1e-8)                  F.cosine_similarity torch.cosine_similarity
cosine_similarity(x1:input, x2:other) <- (dim=1, eps=1e-8)              nn.CosineSimilarity
dist(input, other, p=2)                                                 torch.dist .dist
cdist(x1:input, x2:other, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')  torch.cdist
pdist(input, p=2.0)                                                     F.pdist torch.pdist
pairwise_distance(x1:input, x2:other, p=2.0, eps=1e-6, keepdim=False)   F.pairwise_distance torch.pairwise_distance
pairwise_distance(x1:input, x2:other) <- (p=2.0, eps=1e-6, keepdim=False)  nn.PairwiseDistance
renorm(input, p, dim, maxnorm, *, out=None)                             torch.renorm .renorm
# ---- products
matmul(input, other, *, out=None)                                       torch.matmul .matmul torch.linalg.matmul
mm(input, mat2:other, *, out=None)                                      torch.mm .mm torch.sparse.mm
bmm(input, mat2:other, *, out=None)                                     torch.bmm .bmm
mv(input, vec:other, *, out=None)                                       torch.mv .mv
inner(input, other, *, out=None)                                        torch.inner .inner
tensordot(a:input, b:other, dims=2, out=None)                           torch.tensordot
dot(input, tensor:other, *, out=None)                                   torch.dot .dot torch.vdot .vdot
vecdot(x:input, y:other, *, dim=-1, out=None)                           torch.linalg.vecdot
outer(input, vec2:other, *, out=None)                                   torch.outer .outer torch.ger .ger
kron(input, other, *, out=None)                                         torch.kron .kron
einsum(equation, *operands)                                             torch.einsum
addmm(input, mat1:one, mat2:other, *, beta=1, alpha=1, out=None)        torch.addmm .addmm
baddbmm(input, batch1:one, batch2:other, *, beta=1, alpha=1, out=None)    torch.baddbmm .baddbmm
addbmm(input, batch1:one, batch2:other, *, beta=1, alpha=1, out=None)   torch.addbmm .addbmm
addmv(input, mat:one, vec:other, *, beta=1, alpha=1, out=None)          torch.addmv .addmv
addr(input, vec1:one, vec2:other, *, beta=1, alpha=1, out=None)        torch.addr .addr
cross(input, other, dim=None, *, out=None)                              torch.cross .cross
cross(input, other, *, dim=-1, out=None)                                torch.linalg.cross
# ---- matrices
stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode='reflect', normalized=False, onesided=None, return_complex=None)  torch.stft .stft
det(input, *, out=None)                                                 torch.det .det torch.linalg.det
logdet(input)                                                           torch.logdet .logdet
slogdet(input, *, out=None)                                             torch.slogdet .slogdet torch.linalg.slogdet
inv(input, *, out=None)                                                 torch.inverse .inverse torch.linalg.inv
pinv(input, rcond=1e-15)                                                torch.pinverse .pinverse
pinv(input, *, atol=None, rtol=None, hermitian=False, out=None)         torch.linalg.pinv
solve(A:input, B:other, *, left=True, out=None)                         torch.linalg.solve
solve(A:input, B:other, *, upper, left=True, unitriangular=False, out=None)  torch.linalg.solve_triangular
lstsq(A:input, B:other, rcond=None, *, driver=None)                     torch.linalg.lstsq
cholesky(input, upper=False, *, out=None)                               torch.cholesky .cholesky
cholesky(input, *, upper=False, out=None)                               torch.linalg.cholesky
matrix_exp(input)                                                       torch.matrix_exp .matrix_exp torch.linalg.matrix_exp
matrix_power(input, n, *, out=None)                                     torch.matrix_power .matrix_power torch.linalg.matrix_power
qr(input, some=True, *, out=None)                                       torch.qr .qr
qr(input, mode='reduced', *, out=None)                                  torch.linalg.qr
lu(input, *, pivot=True, out=None)                                      torch.linalg.lu
svd(input, some=True, compute_uv=True, *, out=None)                     torch.svd .svd
svd(input, full_matrices=True, *, driver=None, out=None)                torch.linalg.svd
svdvals(input, *, driver=None, out=None)                                torch.linalg.svdvals
eigh(input, UPLO='L', *, out=None)                                      torch.linalg.eigh
eigvalsh(input, UPLO='L', *, out=None)                                  torch.linalg.eigvalsh
eig(input, *, out=None)                                                 torch.linalg.eig
eigvals(input, *, out=None)                                             torch.linalg.eigvals
cond(input, p=None, *, out=None)                                        torch.linalg.cond
matrix_rank(input, *, atol=None, rtol=None, hermitian=False, out=None)  torch.linalg.matrix_rank
trace(input)                                                            torch.trace .trace
diagonal(input, offset=0, dim1=0, dim2=1)                               torch.diagonal .diagonal
diagonal(input, *, offset=0, dim1=-2, dim2=-1)                          torch.linalg.diagonal
diag(input, diagonal=0, *, out=None)                                    torch.diag .diag
diag_embed(input, offset=0, dim1=-2, dim2=-1)                           torch.diag_embed .diag_embed torch.diagflat .diagflat
block_diag(*tensors)                                                    torch.block_diag
tril(input, diagonal=0, *, out=None)                                    torch.tril .tril
triu(input, diagonal=0, *, out=None)                                    torch.triu .triu
# ---- losses
mse_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None)  F.mse_loss
mse_loss(input, target) <- (size_average=None, reduce=None, reduction='mean')     nn.MSELoss
l1_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None)   F.l1_loss
l1_loss(input, target) <- (size_average=None, reduce=None, reduction='mean')      nn.L1Loss
smooth_l1_loss(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0)  F.smooth_l1_loss
smooth_l1_loss(input, target) <- (size_average=None, reduce=None, reduction='mean', beta=1.0)  nn.SmoothL1Loss
huber_loss(input, target, reduction='mean', delta=1.0, weight=None)     F.huber_loss
huber_loss(input, target) <- (reduction='mean', delta=1.0)              nn.HuberLoss
cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0)  F.cross_entropy
cross_entropy(input, target) <- (weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0)  nn.CrossEntropyLoss
nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean')  F.nll_loss
nll_loss(input, target) <- (weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean')  nn.NLLLoss
binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction='mean')  F.binary_cross_entropy
binary_cross_entropy(input, target) <- (weight=None, size_average=None, reduce=None, reduction='mean')  nn.BCELoss
binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None)  F.binary_cross_entropy_with_logits
binary_cross_entropy_with_logits(input, target) <- (weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None)  nn.BCEWithLogitsLoss
kl_div(input, target, size_average=None, reduce=None, reduction='mean', log_target=False)  F.kl_div
kl_div(input, target) <- (size_average=None, reduce=None, reduction='mean', log_target=False)  nn.KLDivLoss
poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction='mean')  F.poisson_nll_loss
poisson_nll_loss(log_input:input, target) <- (log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction='mean')  nn.PoissonNLLLoss
gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction='mean')  F.gaussian_nll_loss
gaussian_nll_loss(input, target, var) <- (*, full=False, eps=1e-6, reduction='mean')  nn.GaussianNLLLoss
soft_margin_loss(input, target, size_average=None, reduce=None, reduction='mean')  F.soft_margin_loss
soft_margin_loss(input, target) <- (size_average=None, reduce=None, reduction='mean')  nn.SoftMarginLoss
multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction='mean')  F.multilabel_soft_margin_loss
multilabel_soft_margin_loss(input, target) <- (weight=None, size_average=None, reduce=None, reduction='mean')  nn.MultiLabelSoftMarginLoss
multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction='mean')  F.multilabel_margin_loss
multilabel_margin_loss(input, target) <- (size_average=None, reduce=None, reduction='mean')  nn.MultiLabelMarginLoss
multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction='mean')  F.multi_margin_loss
multi_margin_loss(input, target) <- (p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction='mean')  nn.MultiMarginLoss
hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction='mean')  F.hinge_embedding_loss
hinge_embedding_loss(input, target) <- (margin=1.0, size_average=None, reduce=None, reduction='mean')  nn.HingeEmbeddingLoss
margin_ranking_loss(input1:input, input2:other, target, margin=0, size_average=None, reduce=None, reduction='mean')  F.margin_ranking_loss
margin_ranking_loss(input1:input, input2:other, target) <- (margin=0.0, size_average=None, reduce=None, reduction='mean')  nn.MarginRankingLoss
cosine_embedding_loss(input1:input, input2:other, target, margin=0, size_average=None, reduce=None, reduction='mean')  F.cosine_embedding_loss
cosine_embedding_loss(input1:input, input2:other, target) <- (margin=0.0, size_average=None, reduce=None, reduction='mean')  nn.CosineEmbeddingLoss
triplet_margin_loss(anchor:input, positive:other, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction='mean')  F.triplet_margin_loss
triplet_margin_loss(anchor:input, positive:other, negative) <- (margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction='mean')  nn.TripletMarginLoss
triplet_margin_loss(anchor:input, positive:other, negative, *, distance_function=None, margin=1.0, swap=False, reduction='mean')  F.triplet_margin_with_distance_loss
triplet_margin_loss(anchor:input, positive:other, negative) <- (*, distance_function=None, margin=1.0, swap=False, reduction='mean')  nn.TripletMarginWithDistanceLoss
ctc_loss(log_probs:input, targets:target, input_lengths, target_lengths, blank=0, reduction='mean', zero_infinity=False)  F.ctc_loss
ctc_loss(log_probs:input, targets:target, input_lengths, target_lengths) <- (blank=0, reduction='mean', zero_infinity=False)  nn.CTCLoss
# ---- layers
linear(input, weight, bias=None)                                        F.linear
linear(input) <- (in_features, out_features, bias=True, device=None, dtype=None)  nn.Linear
linear(input) <- (out_features, bias=True, device=None, dtype=None)     nn.LazyLinear
bilinear(input1:input, input2:other, weight, bias=None)                 F.bilinear
bilinear(input1:input, input2:other) <- (in1_features, in2_features, out_features, bias=True, device=None, dtype=None)  nn.Bilinear
conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)  F.conv1d F.conv2d F.conv3d torch.conv1d torch.conv2d torch.conv3d
conv(input) <- (in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None)
    nn.Conv1d nn.Conv2d nn.Conv3d
conv(input) <- (out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None)
    nn.LazyConv1d nn.LazyConv2d nn.LazyConv3d
conv_transpose(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)
    F.conv_transpose1d F.conv_transpose2d F.conv_transpose3d torch.conv_transpose1d torch.conv_transpose2d torch.conv_transpose3d
conv_transpose(input, output_size=None) <- (in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None)
    nn.ConvTranspose1d nn.ConvTranspose2d nn.ConvTranspose3d
embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False)  F.embedding
embedding(weight, indices:input, padding_idx=-1, scale_grad_by_freq=False, sparse=False)  torch.embedding
embedding(input) <- (num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None)  nn.Embedding
embedding_bag(input, offsets=None, per_sample_weights=None) <- (num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean', sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None)  nn.EmbeddingBag
layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5)   F.layer_norm
layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True)  torch.layer_norm
layer_norm(input) <- (normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None)  nn.LayerNorm
batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5)  F.batch_norm
batch_norm(input) <- (num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None)
    nn.BatchNorm1d nn.BatchNorm2d nn.BatchNorm3d nn.SyncBatchNorm
batch_norm(input) <- (eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None)
    nn.LazyBatchNorm1d nn.LazyBatchNorm2d nn.LazyBatchNorm3d
group_norm(input, num_groups, weight=None, bias=None, eps=1e-5)         F.group_norm
group_norm(input) <- (num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None)  nn.GroupNorm
instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5)  F.instance_norm
instance_norm(input) <- (num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None)
    nn.InstanceNorm1d nn.InstanceNorm2d nn.InstanceNorm3d
rms_norm(input, normalized_shape, weight=None, eps=None)                F.rms_norm
rms_norm(x:input) <- (normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None)  nn.RMSNorm
local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0)          F.local_response_norm
local_response_norm(input) <- (size, alpha=1e-4, beta=0.75, k=1.0)      nn.LocalResponseNorm
glu(input, dim=-1)                                                      F.glu
glu(input) <- (dim=-1)                                                  nn.GLU
dropout(input, p=0.5, training=True, inplace=False)                     F.dropout F.dropout1d F.dropout2d F.dropout3d
dropout(input, p, train:training)                                       torch.dropout
dropout(input) <- (p=0.5, inplace=False)                                nn.Dropout nn.Dropout1d nn.Dropout2d nn.Dropout3d
max_pool(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)  F.max_pool1d F.max_pool2d F.max_pool3d
max_pool(input) <- (kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False)  nn.MaxPool1d nn.MaxPool2d nn.MaxPool3d
avg_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)  F.avg_pool2d F.avg_pool3d
avg_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)  F.avg_pool1d
avg_pool(input) <- (kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)  nn.AvgPool2d nn.AvgPool3d
avg_pool(input) <- (kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)  nn.AvgPool1d
adaptive_avg_pool(input, output_size)                                   F.adaptive_avg_pool1d F.adaptive_avg_pool2d F.adaptive_avg_pool3d
adaptive_avg_pool(input) <- (output_size)                               nn.AdaptiveAvgPool1d nn.AdaptiveAvgPool2d nn.AdaptiveAvgPool3d
adaptive_max_pool(input, output_size, return_indices=False)             F.adaptive_max_pool1d F.adaptive_max_pool2d F.adaptive_max_pool3d
adaptive_max_pool(input) <- (output_size, return_indices=False)         nn.AdaptiveMaxPool1d nn.AdaptiveMaxPool2d nn.AdaptiveMaxPool3d
lp_pool(input, norm_type, kernel_size, stride=None, ceil_mode=False)    F.lp_pool1d F.lp_pool2d
lp_pool(input) <- (norm_type, kernel_size, stride=None, ceil_mode=False)  nn.LPPool1d nn.LPPool2d
interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False)  F.interpolate
interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None)  F.upsample
interpolate(input) <- (size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None)  nn.Upsample
interpolate(input) <- (size=None, scale_factor=None) mode='nearest'     nn.UpsamplingNearest2d
interpolate(input) <- (size=None, scale_factor=None) mode='bilinear'    nn.UpsamplingBilinear2d
grid_sample(input, grid, mode='bilinear', padding_mode='zeros', align_corners=None)  F.grid_sample
affine_grid(theta:input, size, align_corners=None)                      F.affine_grid
pad(input, pad, mode='constant', value=None)                            F.pad
pad(input) <- (padding) mode='constant'                                 nn.ZeroPad1d nn.ZeroPad2d nn.ZeroPad3d
pad(input) <- (padding, value)                                          nn.ConstantPad1d nn.ConstantPad2d nn.ConstantPad3d
pad(input) <- (padding) mode='circular'                                 nn.CircularPad1d nn.CircularPad2d nn.CircularPad3d
pad(input) <- (padding) mode='reflect'                                  nn.ReflectionPad1d nn.ReflectionPad2d nn.ReflectionPad3d
pad(input) <- (padding) mode='replicate'                                nn.ReplicationPad1d nn.ReplicationPad2d nn.ReplicationPad3d
unfold(input, kernel_size, dilation=1, padding=0, stride=1)             F.unfold
unfold(input) <- (kernel_size, dilation=1, padding=0, stride=1)         nn.Unfold
unfold(input, dimension, size, step)                                    .unfold
fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1)  F.fold
fold(input) <- (output_size, kernel_size, dilation=1, padding=0, stride=1)  nn.Fold
pixel_shuffle(input, upscale_factor)                                    F.pixel_shuffle torch.pixel_shuffle
pixel_shuffle(input, downscale_factor)                                  F.pixel_unshuffle torch.pixel_unshuffle
pixel_shuffle(input) <- (upscale_factor)                                nn.PixelShuffle
pixel_shuffle(input) <- (downscale_factor)                              nn.PixelUnshuffle
scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False)  F.scaled_dot_product_attention
multi_head_attention(query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False) <- (embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None, dtype=None)  nn.MultiheadAttention
lstm(input, hx=None) <- (input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None)  nn.LSTM
lstm_cell(input, hx=None) <- (input_size, hidden_size, bias=True, device=None, dtype=None)  nn.LSTMCell
gru(input, hx=None) <- (input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None)  nn.GRU
gru_cell(input, hx=None) <- (input_size, hidden_size, bias=True, device=None, dtype=None)  nn.GRUCell
rnn(input, hx=None) <- (input_size, hidden_size, num_layers=1, nonlinearity='tanh', bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None)  nn.RNN
rnn_cell(input, hx=None) <- (input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, dtype=None)  nn.RNNCell
transformer(src:input, src_mask=None, src_key_padding_mask=None, is_causal=False) <- (d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=?, layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None)  nn.TransformerEncoderLayer
transformer(src:input, mask=None, src_key_padding_mask=None, is_causal=None) <- (encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True)  nn.TransformerEncoder
transformer(tgt:input, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False) <- (d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=?, layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None)  nn.TransformerDecoderLayer
transformer(tgt:input, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False) <- (decoder_layer, num_layers, norm=None)  nn.TransformerDecoder
clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None)  torch.nn.utils.clip_grad_norm_ torch.nn.utils.clip_grad.clip_grad_norm_
clip_grad_value(parameters, clip_value, foreach=None)                   torch.nn.utils.clip_grad_value_ torch.nn.utils.clip_grad.clip_grad_value_
reshape(input) <- (start_dim=1, end_dim=-1)                             nn.Flatten
unflatten(input) <- (dim, unflattened_size)                             nn.Unflatten
# ---- shapes
view(input, *size)                                                      .view
view(input, other)                                                      .view_as .reshape_as
reshape(input, *shape)                                                  .reshape
reshape(input, shape)                                                   torch.reshape
flatten(input, start_dim=0, end_dim=-1)                                 torch.flatten .flatten
ravel(input)                                                            torch.ravel .ravel
unflatten(input, dim, sizes)                                            torch.unflatten .unflatten
squeeze(input, dim=None)                                                torch.squeeze .squeeze
unsqueeze(input, dim)                                                   torch.unsqueeze .unsqueeze
expand(input, *size, implicit=False)                                    .expand
expand_as(input, other)                                                 .expand_as
broadcast_to(input, size)                                               torch.broadcast_to .broadcast_to
broadcast_tensors(*input)                                               torch.broadcast_tensors
repeat(input, *repeats)                                                 .repeat
repeat_interleave(input, repeats, dim=None, *, output_size=None)        torch.repeat_interleave .repeat_interleave
tile(input, dims)                                                       torch.tile
tile(input, *dims)                                                      .tile
identity(input) <- (*args)                                              nn.Identity
as_strided(input, size, stride, storage_offset=None)                    torch.as_strided .as_strided
atleast(input)                                                          torch.atleast_1d torch.atleast_2d torch.atleast_3d
transpose(input, dim0, dim1)                                            torch.transpose .transpose torch.swapaxes .swapaxes torch.swapdims .swapdims
t(input)                                                                torch.t .t
T(input)                                                                .T .H
mT(input)                                                               .mT .mH torch.adjoint .adjoint
permute(input, *dims)                                                   .permute
permute(input, dims)                                                    torch.permute
movedim(input, source, destination)                                     torch.movedim .movedim torch.moveaxis .moveaxis
roll(input, shifts, dims=None)                                          torch.roll .roll
flip(input, *dims)                                                      .flip
flip(input, dims)                                                       torch.flip .flip
flip(input)                                                             torch.fliplr .fliplr torch.flipud .flipud
rot90(input, k=1, dims=(0,1))                                           torch.rot90 .rot90
getitem(input, index)                                                   operator.getitem .__getitem__
narrow(input, dim, start, length)                                       torch.narrow .narrow
select(input, dim, index)                                               torch.select .select
gather(input, dim, index, *, sparse_grad=False, out=None)               torch.gather .gather
take(input, index)                                                      torch.take .take
take(input, indices:index, dim=None)                                    torch.take_along_dim .take_along_dim
index_select(input, dim, index, *, out=None)                            torch.index_select .index_select
masked_select(input, mask, *, out=None)                                 torch.masked_select .masked_select
unbind(input, dim=0)                                                    torch.unbind .unbind
split(input, split_size, dim=0)                                         .split
split(tensor:input, split_size_or_sections, dim=0)                      torch.split
split(input, split_sizes:split_size, dim=0)                             torch.split_with_sizes .split_with_sizes
chunk(input, chunks, dim=0)                                             torch.chunk .chunk
tensor_split(input, indices_or_sections, dim=0)                         torch.tensor_split .tensor_split
unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None)  torch.unique .unique
unique_consecutive(input, return_inverse=False, return_counts=False, dim=None)  torch.unique_consecutive .unique_consecutive
topk(input, k, dim=-1, largest=True, sorted=True, *, out=None)          torch.topk .topk
kthvalue(input, k, dim=-1, keepdim=False, *, out=None)                  torch.kthvalue .kthvalue
sort(input, dim=-1, descending=False, stable=False, *, out=None)        torch.sort .sort
sorted_values(input)                                                    torch.msort .msort
argsort(input, dim=-1, descending=False, stable=False)                  torch.argsort .argsort
nonzero(input, *, as_tuple=False, out=None)                             torch.nonzero .nonzero
nonzero(input)                                                          torch.argwhere .argwhere
searchsorted(sorted_sequence:boundaries, input, *, out_int32=False, right=False, side=None, sorter=None, out=None)  torch.searchsorted
searchsorted(input, boundaries, *, out_int32=False, right=False, out=None)  torch.bucketize
scatter(input, dim, index, src=?, value:src=?, *, reduce=None)          torch.scatter .scatter
scatter_add(input, dim, index, src)                                     torch.scatter_add .scatter_add
scatter_reduce(input, dim, index, src, reduce, *, include_self=True)    torch.scatter_reduce .scatter_reduce
index_add(input, dim, index, source:src, *, alpha=1, out=None)          torch.index_add .index_add
index_reduce(input, dim, index, source:src, reduce, *, include_self=True)  torch.index_reduce .index_reduce
index_fill(input, dim, index, value)                                    torch.index_fill .index_fill
index_copy(input, dim, index, source:src, *, out=None)                  torch.index_copy .index_copy
index_put(input, indices, values:value, accumulate=False)               torch.index_put .index_put
masked_scatter(input, mask, source:src)                                 torch.masked_scatter .masked_scatter
fill_diagonal(input, fill_value:value, wrap=False)                      .fill_diagonal_
cat(tensors, dim=0, *, out=None)                                        torch.cat torch.concat torch.concatenate
stack(tensors, dim=0, *, out=None)                                      torch.stack
cat(tensors, *, out=None)                                               torch.hstack torch.vstack torch.row_stack
column_stack(tensors, *, out=None)                                      torch.column_stack
dstack(tensors, *, out=None)                                            torch.dstack
meshgrid(*tensors, indexing=None)                                       torch.meshgrid
cartesian_prod(*tensors)                                                torch.cartesian_prod
pad_sequence(sequences:tensors, batch_first=False, padding_value=0.0, padding_side='right')  torch.nn.utils.rnn.pad_sequence
# ---- creation
zeros(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False)  torch.zeros
ones(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False)   torch.ones
empty(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=None)  torch.empty
eye(n:size, m=None, *, out=None, dtype=None, layout=None, device=None, requires_grad=False)  torch.eye
full(size, fill_value, *, out=None, dtype=None, layout=None, device=None, requires_grad=False)  torch.full
zeros_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None)  torch.zeros_like
ones_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None)   torch.ones_like
empty_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None)  torch.empty_like
full_like(input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None)  torch.full_like
new_zeros(input, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False)  .new_zeros
new_ones(input, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False)   .new_ones
new_empty(input, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False)  .new_empty
new_full(input, size, fill_value, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False)  .new_full
new_tensor(input, data, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False)  .new_tensor
arange(start, end=None, step=1, *, out=None, dtype=None, layout=None, device=None, requires_grad=False)  torch.arange
arange(start, end, step=1, *, out=None, dtype=None, layout=None, device=None, requires_grad=False)       torch.range
linspace(start, end, steps, *, out=None, dtype=None, layout=None, device=None, requires_grad=False)      torch.linspace
logspace(start, end, steps, base=10.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False)  torch.logspace
tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False)   torch.tensor
as_tensor(data, dtype=None, device=None)                                torch.as_tensor torch.asarray
scalar_tensor(s:data, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False)  torch.scalar_tensor
as_tensor(data)                                                         torch.from_numpy
tensor(data@sequence|tensor) dtype='float32'                            torch.FloatTensor torch.Tensor
tensor(data@sequence|tensor) dtype='float64'                            torch.DoubleTensor
tensor(data@sequence|tensor) dtype='int64'                              torch.LongTensor
empty(*size)                                                            torch.FloatTensor torch.Tensor torch.DoubleTensor torch.LongTensor
one_hot(input, num_classes=-1)                                          F.one_hot
hann_window(window_length:size, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False)      torch.hann_window
hamming_window(window_length:size, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None, requires_grad=False)  torch.hamming_window
blackman_window(window_length:size, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False)  torch.blackman_window
bartlett_window(window_length:size, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False)  torch.bartlett_window
tril_indices(row:size, col, offset=0, *, dtype=None, device=None, layout=None)  torch.tril_indices
triu_indices(row:size, col, offset=0, *, dtype=None, device=None, layout=None)  torch.triu_indices
vander(x:input, N=None, *, increasing=False)                            torch.vander
parameter(data=?, requires_grad=True)                                   nn.Parameter torch.nn.parameter.Parameter
# ---- random numbers
rand(*size, generator=None, names=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False)   torch.rand
randn(*size, generator=None, names=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False)  torch.randn
rand_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None)   torch.rand_like
randn_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None)  torch.randn_like
randint(low, high@number|unknown, size@sequence, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False)  torch.randint
randint(low, size@sequence, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False)               torch.randint
randint_like(input, low, high=None, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None)  torch.randint_like
randperm(n, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False)  torch.randperm
uniform(input, from:low=0, to:high=1, *, generator=None)                .uniform_
normal(input, mean=0, std=1, *, generator=None)                         .normal_
exponential(input, lambd=1, *, generator=None)                          .exponential_ .geometric_ .log_normal_
random_normal(mean=0.0, std=1.0, size=None, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False)  torch.normal
bernoulli(input, p=None, *, generator=None, out=None)                   torch.bernoulli .bernoulli .bernoulli_
poisson(input, generator=None)                                          torch.poisson
multinomial(input, num_samples, replacement=False, *, generator=None, out=None)  torch.multinomial .multinomial
init(tensor:input, a=0.0, b=1.0, generator=None)                        nn.init.uniform_
init(tensor:input, mean=0.0, std=1.0, generator=None)                   nn.init.normal_
init(tensor:input, gain=1.0, generator=None)                            nn.init.xavier_uniform_ nn.init.xavier_normal_ nn.init.orthogonal_
init(tensor:input, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None)  nn.init.kaiming_uniform_ nn.init.kaiming_normal_
init(tensor:input, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None)    nn.init.trunc_normal_
zeros_like(tensor:input)                                                nn.init.zeros_
ones_like(tensor:input)                                                 nn.init.ones_
full_like(tensor:input, val:fill_value)                                 nn.init.constant_
seed(seed)                                                              torch.manual_seed torch.cuda.manual_seed torch.cuda.manual_seed_all
"""
